package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.EventClient.Message;
import dev.ebb.api.events.StreamRules;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.CuttingProxy;
import dev.ebb.db.connection.DatabaseConfig;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Streams while the database is away. */
class EventOutageTest {
  private static final ApiConfig API =
      ApiConfig.of("127.0.0.1", 0)
          .withStreams(
              new StreamRules(
                  9, Duration.ofMillis(200), Duration.ofMillis(50), Duration.ofHours(1), 50_000));
  private static final String END =
      """
      insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
        priority, cancelled, queue, kind)
      values (uuidv7(), now(), now(), now(), 1, 3, 5, true, '%s', 'echo')
      """;

  /** Through the proxy, which must see each statement's text. */
  private static DatabaseConfig through(CuttingProxy proxy, DatabaseConfig config) {
    DatabaseConfig there = proxy.through(config);
    return DatabaseConfig.of(there.url() + "?prepareThreshold=0", "postgres", "postgres");
  }

  @Test
  void what_happens_while_the_database_cannot_be_reached_is_told_afterwards() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    AtomicBoolean away = new AtomicBoolean();
    try (CuttingProxy proxy =
            new CuttingProxy(TestPostgres.shared().port(), "fresh as materialized", away::get);
        ApiServer api = ApiServer.over(through(proxy, config), API);
        EventClient events = EventClient.open(api, "")) {
      away.set(true);
      Duration age = Duration.parse(events.next("lag").json().path("age").asString());
      assertThat(age).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
      api.execute(END.formatted("missed"));
      away.set(false);

      Message told = events.next(one -> one.event().equals("job") || one.event().equals("reset"));
      assertThat(told.data()).contains("missed");
      assertThat(api.meters().get("ebb.failures").tag("part", "events").counter().count())
          .isPositive();
    }
  }

  @Test
  @Proof
  void after_the_database_started_anew_a_stream_that_stayed_open_begins_anew() throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        ApiServer api = ApiServer.over(postgres.newDatabase(), API);
        EventClient events = EventClient.open(api, "")) {
      String before = events.lastId();
      postgres.stop();
      events.next("lag");
      postgres.restart();

      assertThat(events.next("reset").field("reason")).isEqualTo("gap");
      api.execute(END.formatted("after"));
      assertThat(events.next("job").field("queue")).isEqualTo("after");
      try (EventClient late = EventClient.resume(api, "", before)) {
        assertThat(late.next("reset").field("reason")).isEqualTo("unknown_id");
      }
    }
  }
}
