package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What connections see of an API that stops, and of one that does not. */
class DrainTest {
  private static final String HEAD = " HTTP/1.1¶Host: localhost¶¶";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Database database;
  private EbbApi api;

  @BeforeEach
  void start() {
    database = TestPostgres.open(TestPostgres.shared().newDatabase());
    api = EbbApi.start(config(ApiConfig.Limits.defaults()), database);
  }

  @AfterEach
  void stop() {
    api.close();
    database.close();
  }

  private static ApiConfig config(ApiConfig.Limits limits) {
    return ApiConfig.of("127.0.0.1", 0)
        .withHealthPort(0)
        .withAccess(AccessConfig.openToAll())
        .withLimits(limits);
  }

  @Test
  void a_connection_ends_with_its_answer_once_the_drain_has_begun_and_not_before()
      throws IOException {
    try (Sender before = Sender.from("127.0.0.1", api.port());
        Sender kept = Sender.from("127.0.0.1", api.port())) {
      before.send("GET /v1/policies" + HEAD).readAnswer();
      kept.send("GET /v1/policies" + HEAD).readAnswer();

      api.drain();

      assertThat(before.send("GET /v1/policies" + HEAD).answer())
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("connection: close");
      int port = api.port();
      api.stopListening();
      assertThatThrownBy(() -> Sender.from("127.0.0.1", port)).isInstanceOf(IOException.class);
      // One that was idle meanwhile is still answered, and ends then.
      assertThat(kept.send("GET /v1/policies" + HEAD).answer())
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("connection: close");
    }
  }

  @Test
  void a_drain_has_readyz_say_no_with_its_reason_and_livez_yes() throws Exception {
    Await.until("it is ready", () -> health("/readyz").startsWith("HTTP/1.1 200"));

    api.drain();

    assertThat(health("/readyz")).startsWith("HTTP/1.1 503").contains("\"code\":\"stopping\"");
    assertThat(health("/livez")).startsWith("HTTP/1.1 200");
    assertThat(health("/startupz")).startsWith("HTTP/1.1 200");
  }

  @Test
  void an_idle_connection_is_kept_as_long_as_it_was_set_and_the_default_is_longer()
      throws IOException {
    ApiConfig.Limits brief = ApiConfig.Limits.defaults().withKeepAlive(Duration.ofSeconds(1));
    try (EbbApi impatient = EbbApi.start(config(brief), database);
        Sender longer = Sender.from("127.0.0.1", api.port());
        Sender shorter = Sender.from("127.0.0.1", impatient.port());
        Sender health = Sender.from("127.0.0.1", impatient.healthPort())) {
      longer.send("GET /v1/policies" + HEAD).readAnswer();
      shorter.send("GET /v1/policies" + HEAD).readAnswer();
      health.send("GET /livez" + HEAD).readAnswer();

      assertThat(shorter.isClosedWithin(MINUTE)).isTrue();
      assertThat(health.isClosedWithin(MINUTE)).isTrue();

      longer.send("GET /v1/policies" + HEAD).readAnswer();
    }
  }

  private String health(String path) throws IOException {
    try (Sender sender = Sender.from("127.0.0.1", api.healthPort())) {
      return sender.get(path);
    }
  }
}
