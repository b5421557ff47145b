package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OutageTest {
  private static final String JOB = "{\"kind\":\"a\",\"payload\":1}";

  /** The statement that readiness asks; others wait for the lock as well, as long as it is held. */
  private static final String WAITING =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query like '%left join ebb.queue q on q.name = n.name%'
      """;

  /**
   * So that the one that asks is not cancelled, and followed by another, while the test goes on.
   */
  private static final Duration AMPLE = Duration.ofMinutes(10);

  /** More than the pool's patience by what a busy machine may take. */
  private static final Duration SOON = Duration.ofMillis(3500);

  @Test
  @Proof
  void while_the_database_is_away_requests_are_refused_for_now_and_later_served() throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        ApiServer api = ApiServer.start(postgres.newDatabase())) {
      assertThat(api.post("/v1/jobs", JOB).status()).isEqualTo(201);

      postgres.stop();
      List<Supplier<Reply>> requests =
          List.of(
              () -> api.post("/v1/jobs", JOB),
              () -> api.post("/v1/jobs", JOB),
              () -> api.get("/v1/jobs"),
              () -> api.get("/readyz"));
      for (Supplier<Reply> request : requests) {
        Reply reply =
            Judged.within(
                SOON,
                "a request is refused",
                TestPostgres.shared().config("postgres"),
                request::get);
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.field("code")).isEqualTo("database_unavailable");
        assertThat(reply.json().path("retryable").asBoolean()).isTrue();
        assertThat(reply.header("retry-after")).isEqualTo("2");
        assertThat(reply.body()).doesNotContain("Exception", "Hikari", "Connection", "127.0.0.1");
      }
      assertThat(api.get("/livez").status()).isEqualTo(200);
      assertThat(api.get("/startupz").status()).as("it had started").isEqualTo(200);

      postgres.restart();
      assertThat(untilServed(api).status()).isEqualTo(201);
      assertThat(api.stored()).isEqualTo(2);
      assertThat(api.get("/readyz").status()).isEqualTo(200);
    }
  }

  @Test
  void however_many_ask_whether_it_is_ready_one_connection_asks_a_database_that_stalls()
      throws Exception {
    DatabaseConfig patient = TestPostgres.shared().newDatabase().withStatementTimeout(AMPLE);
    try (ApiServer api = ApiServer.start(patient);
        Connection stalling = api.connect();
        ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor()) {
      stalling.setAutoCommit(false);
      stalling.createStatement().execute("lock table ebb.queue in access exclusive mode");

      List<Future<Reply>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(probes.submit(() -> api.get("/readyz")));
      }
      long asking = 0;
      while (asking == 0 || !answers.stream().allMatch(Future::isDone)) {
        asking = Math.max(asking, api.number(WAITING));
      }

      assertThat(asking).isEqualTo(1);
      for (Future<Reply> answer : answers) {
        assertThat(answer.get().status()).isEqualTo(503);
      }
    }
  }

  private static Reply untilServed(ApiServer api) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    Reply reply = api.post("/v1/jobs", JOB);
    while (reply.status() == 503 && System.nanoTime() < deadline) {
      reply = api.post("/v1/jobs", JOB);
    }
    return reply;
  }

  @Test
  void a_database_that_is_not_migrated_yet_is_not_available() {
    try (ApiServer api = ApiServer.start(TestPostgres.shared().newBareDatabase())) {
      assertThat(api.get("/readyz").status()).isEqualTo(503);
      Reply reply = api.post("/v1/jobs", JOB);
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.body()).doesNotContain("relation", "SQL", "Exception");
    }
  }
}
