package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ebb.demand} says that workers are needed for. */
class DemandTest {
  private static final String SETTINGS =
      "insert into ebb.queue (name, paused, paused_since, paused_by, paused_until, rate_limit,"
          + " max_concurrency, destination) values ('%s', %s)";

  private static final String MANY =
      """
      insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
      select %s, 'echo', (n %% 10)::smallint, now() %s, 16, '{}' from generate_series(1, %s) n
      """;

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String queue, int jobs) throws SQLException {
    NewJob job = NewJob.builder("echo", "{}").queue(queue).build();
    bench.jobs.submit(Collections.nCopies(jobs, job));
  }

  private long demand(String queues) throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config)) {
      return demand(connection, queues);
    }
  }

  private static long demand(Connection connection, String queues) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select ebb.demand(" + queues + ")")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void jobs_that_run_and_those_that_are_due_count_and_none_that_is_not_due() throws SQLException {
    assertThat(demand("")).isZero();

    submit(Bench.QUEUE, 5);
    submit("other", 3);
    bench.execute(MANY.formatted("'later'", "+ interval '1 day'", 7));
    bench.execute(
        "update ebb.job set held_until = 'infinity', held_version = version + 1,"
            + " run_at = 'infinity', version = version + 1"
            + " where id = (select id from ebb.job where queue = 'other' limit 1)");
    bench.claim(2);

    assertThat(demand("")).isEqualTo(7);
    assertThat(demand("'{default}'")).isEqualTo(5);
    assertThat(demand("'{other,later,none}'")).isEqualTo(2);
    assertThat(demand("'{}'")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no limit      | false, null, null, null, null, null, null                            | 9
          paused        | true, now(), 'eve', null, null, null, null                           | 2
          pause to come | true, now(), 'eve', now() + interval '1 day', null, null, null       | 2
          pause is over | true, now(), 'eve', now() - interval '1 s', null, null, null         | 9
          concurrency   | false, null, null, null, null, 4, null                               | 4
          it is full    | false, null, null, null, null, 1, null                               | 2
          rate          | false, null, null, null, '{"permitsPerSecond": 2.5}', null, null     | 5
          both          | false, null, null, null, '{"permitsPerSecond": 2.5}', 3, null        | 3
          """)
  void what_a_limit_holds_back_does_not_count(String limit, String settings, long demand)
      throws SQLException {
    submit(Bench.QUEUE, 9);
    bench.claim(2);
    bench.execute(SETTINGS.formatted(Bench.QUEUE, settings));

    assertThat(demand("")).as(limit).isEqualTo(demand);
  }

  @Test
  void a_limiter_that_lets_nothing_start_within_a_second_holds_all_back() throws SQLException {
    submit(Bench.QUEUE, 9);
    bench.execute(
        SETTINGS.formatted(
            Bench.QUEUE, "false, null, null, null, '{\"permitsPerSecond\": 5}', null, null"));
    bench.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at)"
            + " values ('default', 0, now() + interval '1 minute')");

    assertThat(demand("")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "now() + interval '1 hour' | OPEN | 0",
        "now() - interval '1 s' | HALF_OPEN | 1",
        "null | CLOSED | 9"
      })
  void a_circuit_lets_as_many_count_as_it_lets_through(String held, String phase, long demand)
      throws SQLException {
    submit(Bench.QUEUE, 9);
    String settings = "false, null, null, null, null, null, '{}'";
    bench.execute(SETTINGS.formatted(Bench.QUEUE, settings));
    bench.execute(
        "insert into ebb.circuit (queue, held_until, state) values ('default', %s, '%s')"
            .formatted(held, "{\"phase\": \"" + phase + "\"}"));

    assertThat(demand("")).isEqualTo(demand);
  }

  @Test
  void while_the_start_is_paused_only_what_runs_counts() throws SQLException {
    submit(Bench.QUEUE, 9);
    bench.claim(2);
    bench.execute("insert into ebb.start (paused_since, paused_by) values (now(), 'eve')");

    assertThat(demand("")).isEqualTo(2);
  }

  @Test
  void a_queue_counts_up_to_ten_thousand_and_all_together_up_to_a_hundred_thousand()
      throws SQLException {
    bench.execute(MANY.formatted("'big'", "- interval '1 s'", 30_000));
    assertThat(demand("")).isEqualTo(10_000);

    bench.execute(MANY.formatted("'q' || n % 12", "- interval '1 s'", 120_000));
    assertThat(demand("")).isEqualTo(100_000);
  }

  @Test
  void what_is_not_counted_is_not_read() throws SQLException {
    bench.execute(MANY.formatted("'big'", "- interval '1 s'", 100_000));
    bench.execute(MANY.formatted("'big'", "+ interval '1 day'", 100_000));
    bench.execute(SETTINGS.formatted("big", "false, null, null, null, null, 5, null"));
    bench.execute("vacuum analyze ebb.job");
    bench.countBlocks();

    try (Connection connection = TestPostgres.connect(bench.config)) {
      // The first call of a session reads the catalogs as well.
      demand(connection, "");
      bench.resetBlocks();
      assertThat(demand(connection, "")).isEqualTo(5);
    }
    assertThat(bench.blocks("select ebb.demand()%")).isBetween(1L, 100L);
  }
}
