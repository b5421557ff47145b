package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.stats.Proportion;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.DestinationReads;
import dev.ebb.db.queue.Trouble;
import dev.ebb.db.queue.WorstPage;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How destinations do, and in which order they come if the worst come first. */
class DestinationStatsTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void destinations(String... names) throws SQLException {
    for (String name : names) {
      bench.execute(
          """
          insert into ebb.queue (name, destination)
          values ('%s', '{"url": "https://merchant.example/"}')
          """
              .formatted(name));
    }
  }

  /** Attempts that ended so many minutes ago, all within the same bucket of lengths. */
  private void ended(String queue, int minutesAgo, int completed, int failed) throws SQLException {
    bench.execute(
        """
        insert into ebb.stat (
          at, step, queue, kind, submitted, started, completed, failed, throttled, dead, cancelled,
          redriven, discarded, released, snoozed, wait_micros, run_micros, wait, run)
        select
          date_bin(s.step * interval '1 minute', now() - interval '%2$s minutes', 'epoch'),
          s.step, '%1$s', 'http', 0, 0, %3$s, %4$s, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          '{}', array[0, %3$s + %4$s]
        from (values (1), (1440)) as s (step)
        on conflict (step, queue, kind, at) do update
        set
          completed = stat.completed + excluded.completed,
          failed = stat.failed + excluded.failed
        """
            .formatted(queue, minutesAgo, completed, failed));
  }

  private DestinationStat stat(String destination) throws SQLException {
    return Objects.requireNonNull(
        new DestinationStats(bench.database).of(List.of(destination)).ended().get(destination));
  }

  private List<Trouble> worsening() throws SQLException {
    return new SubjectReads(bench.database)
        .worseDestinations().stream()
            .map(trend -> new Trouble(trend.riseAtLeast(), Objects.requireNonNull(trend.subject())))
            .toList();
  }

  /** All of them, from pages of so many. */
  private List<String> worst(int limit) throws SQLException {
    List<String> names = new ArrayList<>();
    Trouble after = Trouble.FIRST;
    while (after != null) {
      WorstPage page = new DestinationReads(bench.database).worst(worsening(), after, limit);
      page.destinations().forEach(one -> names.add(one.name()));
      after = page.next();
    }
    return names;
  }

  @Test
  void the_last_hour_stands_beside_the_week() throws SQLException {
    destinations("acme");
    ended("acme", 10, 8, 2);
    ended("acme", 120, 90, 0);
    ended("acme", 3 * 1440, 900, 8);

    DestinationStat stat = stat("acme");

    assertThat(stat.lately()).isEqualTo(new Proportion(2, 10));
    assertThat(stat.usually()).isEqualTo(new Proportion(10, 1008));
    assertThat(stat.runs().quantile(1)).contains(Duration.ofNanos(2_048_000));
    assertThat(stat.quarters()).hasSize(96);
    assertThat(stat.quarters().stream().mapToLong(Proportion::whole).sum()).isEqualTo(100);
  }

  @Test
  void of_a_destination_without_attempts_nothing_is_known() throws SQLException {
    destinations("idle");

    assertThat(stat("idle").lately().share()).isEmpty();
    assertThat(stat("idle").usually().share()).isEmpty();
    assertThat(stat("idle").runs().quantile(0.95)).isEmpty();
  }

  @Test
  void what_is_not_folded_yet_counts() throws SQLException {
    destinations("acme");
    bench.execute(
        """
        insert into ebb.tally (micros, number, counter, bucket, queue, kind)
        values (3000, 3, 3, 2, 'acme', 'http'), (3000, 1, 4, 2, 'acme', 'http')
        """);

    DestinationStat stat = stat("acme");

    assertThat(stat.lately()).isEqualTo(new Proportion(1, 4));
    assertThat(stat.usually()).isEqualTo(new Proportion(1, 4));
    assertThat(stat.runs().total()).isEqualTo(4);
    assertThat(stat.quarters().getLast()).isEqualTo(new Proportion(1, 4));
  }

  @Test
  void those_that_do_not_answer_come_first_then_those_that_get_worse_then_the_others_by_name()
      throws SQLException {
    destinations("a", "b", "steady", "worse", "worse-still", "open", "held", "z-open");
    bench.execute(
        """
        insert into ebb.circuit (queue, held_until, state)
        values
          ('open', now() + interval '1 minute', '{"phase": "OPEN"}'),
          ('z-open', null, '{"phase": "HALF_OPEN"}'),
          ('held', now() + interval '1 minute', '{"phase": "CLOSED"}')
        """);
    for (String name : List.of("steady", "worse", "worse-still", "open", "no-destination")) {
      ended(name, 30, 500, 5);
    }
    ended("steady", 5, 100, 1);
    ended("worse", 5, 70, 30);
    ended("worse-still", 5, 40, 60);
    ended("open", 5, 0, 100);
    ended("no-destination", 5, 0, 100);
    List<String> order =
        List.of("open", "z-open", "worse-still", "worse", "a", "b", "held", "steady");

    assertThat(worst(100)).isEqualTo(order);
    for (int limit = 1; limit <= order.size(); limit++) {
      assertThat(worst(limit)).as("pages of " + limit).isEqualTo(order);
    }
  }

  @Test
  void ten_thousand_that_fail_at_once_are_a_list_like_any_other() throws SQLException {
    bench.execute(
        """
        insert into ebb.queue (name, destination)
        select 'd' || lpad(n::text, 5, '0'), '{"url": "https://merchant.example/"}'
        from generate_series(1, 10000) n
        """);
    bench.execute(
        """
        insert into ebb.circuit (queue, state)
        select name, '{"phase": "OPEN"}' from ebb.queue where name <> 'd00001'
        """);

    WorstPage page =
        new DestinationReads(bench.database).worst(List.of(), new Trouble(2, "d09998"), 3);

    assertThat(page.destinations())
        .extracting(one -> one.name())
        .containsExactly("d09999", "d10000", "d00001");
    assertThat(page.next()).isNull();
    assertThat(new DestinationStats(bench.database).of(List.of("d00001")).ended()).hasSize(1);
  }

  /** A connection on which that happens before the statement that reads how attempts ended. */
  private Connection meanwhile(Connection connection, String sql) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && ((String) arguments[0]).contains("quarters as (")) {
                bench.execute(sql);
              }
              return method.invoke(connection, arguments);
            });
  }

  private static final String THREE_FAIL =
      "insert into ebb.tally (counter, queue, kind, number) values (4, 'a', 'http', 3)";

  /** How many attempts failed in five minutes, and in the hour. */
  private List<Long> failed(Connection connection) throws SQLException {
    DestinationFigures figures = DestinationStats.figures(connection, List.of("a"));
    Counts lately = figures.overview().queues().getFirst().last().five();
    DestinationStat ended = Objects.requireNonNull(figures.ended().get("a"));
    return List.of(lately.of(Counter.FAILED), ended.lately().part());
  }

  @Test
  void the_figures_of_a_destination_are_all_of_one_moment() throws SQLException {
    destinations("a");
    bench.execute(THREE_FAIL);
    try (Connection connection = TestPostgres.connect(bench.config)) {
      connection.setAutoCommit(false);

      assertThat(failed(meanwhile(connection, THREE_FAIL))).containsExactly(3L, 3L);
    }
  }

  @Test
  void control_in_two_reads_they_are_of_two_moments() throws SQLException {
    destinations("a");
    bench.execute(THREE_FAIL);
    try (Connection connection = TestPostgres.connect(bench.config)) {
      connection.setAutoCommit(false);
      Connection reading = meanwhile(connection, THREE_FAIL);

      Counts lately = OverviewReads.of(reading, List.of("a")).queues().getFirst().last().five();
      assertThat(lately.of(Counter.FAILED)).isEqualTo(3);
      DestinationStat ended =
          Objects.requireNonNull(DestinationStats.ended(reading, List.of("a")).get("a"));
      assertThat(ended.lately().part()).isEqualTo(6);
    }
  }

  @Test
  void nobody_empties_what_is_counted_while_they_are_read() throws SQLException {
    destinations("a");
    bench.execute(THREE_FAIL);
    try (Connection connection = TestPostgres.connect(bench.config)) {
      connection.setAutoCommit(false);
      String emptied = "set lock_timeout = '50ms'; truncate ebb.tally";

      assertThatThrownBy(() -> failed(meanwhile(connection, emptied)))
          .hasStackTraceContaining("lock timeout");
    }
  }
}
