package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DatabaseTest {
  private final DatabaseConfig config = TestPostgres.durable().newDatabase();
  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(config);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static JsonNode finding(JsonNode health, String code) {
    return health
        .path("findings")
        .valueStream()
        .filter(one -> one.path("code").asString().equals(code))
        .findAny()
        .orElseThrow();
  }

  @Test
  void every_finding_has_its_value_and_its_rule() {
    JsonNode health = api.get("/v1/database").json();

    JsonNode oldest = finding(health, "oldest_transaction");
    assertThat(oldest.path("verdict").asString()).isEqualTo("ok");
    assertThat(oldest.path("unit").asString()).isEqualTo("seconds");
    assertThat(oldest.path("warnFrom").asDouble()).isEqualTo(300);
    assertThat(oldest.path("badFrom").asDouble()).isEqualTo(3600);
    assertThat(oldest.has("value")).isTrue();
    assertThat(oldest.has("advice")).isFalse();
    assertThat(finding(health, "claim_times").path("summary").asString())
        .contains("this process runs no worker");
    assertThat(health.path("unread")).isEmpty();
    assertThat(health.path("tables").valueStream().map(one -> one.path("name").asString()))
        .contains("job", "history", "lease");
  }

  @Test
  void the_worst_comes_first() {
    api.execute("alter table ebb.queue set (autovacuum_enabled = off)");

    JsonNode health = api.get("/v1/database").json();

    assertThat(health.path("verdict").asString()).isEqualTo("warn");
    assertThat(health.at("/findings/0/code").asString()).isEqualTo("table_autovacuum");
    assertThat(health.at("/findings/0/advice").asString()).isNotBlank();
    assertThat(health.at("/findings/0/commands/0").asString())
        .isEqualTo("alter table ebb.queue reset (autovacuum_enabled);");
  }

  @Test
  void what_cannot_be_read_is_named_and_all_else_is_shown_in_time() throws Exception {
    try (Connection locker = TestPostgres.connect(config);
        Statement statement = locker.createStatement()) {
      locker.setAutoCommit(false);
      statement.execute("lock table ebb.job in access exclusive mode");

      JsonNode health =
          Judged.within(
              Duration.ofSeconds(5),
              "the database's page beside a locked table",
              TestPostgres.shared().config("postgres"),
              () -> api.get("/v1/database").json());

      assertThat(health.path("unread").path("due").asString()).contains("a lock was not released");
      assertThat(health.has("due")).isFalse();
      assertThat(health.has("tables")).isTrue();
      assertThat(finding(health, "oldest_due").path("verdict").asString()).isEqualTo("unknown");
      locker.rollback();
    }
  }

  @Test
  void those_who_ask_at_about_the_same_time_share_one_reading() throws Exception {
    try (ExecutorService tabs = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers =
          Stream.generate(() -> tabs.submit(() -> api.get("/v1/database").field("asOf")))
              .limit(50)
              .toList();

      // A machine that stalls for five seconds in between reads twice.
      assertThat(answers.stream().map(DatabaseTest::result).distinct().count()).isLessThan(4);
    }
  }

  private static String result(Future<String> answer) {
    try {
      return answer.get();
    } catch (ExecutionException | InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
