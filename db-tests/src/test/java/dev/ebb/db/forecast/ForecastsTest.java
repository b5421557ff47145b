package dev.ebb.db.forecast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which jobs become due, beside a plain recount and beside the starts that then happen. */
class ForecastsTest {
  private Bench bench;
  private Forecasts forecasts;

  @BeforeEach
  void open() {
    bench = new Bench();
    forecasts = new Forecasts(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Jobs in the middle of minutes, so that none changes its minute while the test runs. */
  private void park(int many, String queue, String minute, String attempt) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now() + (%s) * interval '1 minute' + interval '30 seconds', %s, 100, i %% 10, '%s',
          'echo', '{}'
        from generate_series(1, %s) i
        """
            .formatted(minute, attempt, queue, many));
  }

  private Map<String, Long> cells(@Nullable String queue) throws SQLException {
    Forecast forecast = forecasts.next(queue);
    assertThat(forecast.exact() && forecast.overdueExact()).isTrue();
    Map<String, Long> cells = new TreeMap<>();
    forecast.cells().forEach(cell -> cells.put(cell.minute() + "/" + cell.attempt(), cell.jobs()));
    return cells;
  }

  @Test
  void nothing_is_due_where_there_is_nothing() throws SQLException {
    assertThat(cells(null)).isEmpty();
    assertThat(cells("q")).isEmpty();
    assertThat(forecasts.next("q").queue()).isEqualTo(new Forecast.Queue("q", false));
  }

  @Test
  void each_job_is_in_its_minute_under_the_attempt_that_it_will_start() throws SQLException {
    park(2, "a", "-5", "0");
    park(3, "a", "0", "0");
    park(1, "a", "0", "1");
    park(4, "b", "59", "8");
    park(1, "b", "59", "11");
    park(1, "b", "59", "30");
    park(9, "b", "60", "0");

    assertThat(cells(null))
        .isEqualTo(Map.of("-1/1", 2L, "0/1", 3L, "0/2", 1L, "59/9", 4L, "59/10", 2L));
    assertThat(cells("b")).isEqualTo(Map.of("59/9", 4L, "59/10", 2L));
  }

  @Test
  void it_is_what_a_plain_count_says() throws SQLException {
    park(3_000, "a", "(i * 7919) % 90 - 10", "(i * 31) % 13");
    park(3_000, "b", "(i * 104729) % 70", "i % 4");

    Map<String, Long> counted = new TreeMap<>();
    for (int i = 1; i <= 3_000; i++) {
      count(counted, (i * 7919) % 90 - 10, (i * 31) % 13);
      count(counted, (i * 104729) % 70, i % 4);
    }
    assertThat(counted).hasSizeGreaterThan(400);
    assertThat(cells(null)).isEqualTo(counted);
  }

  private static void count(Map<String, Long> counted, int minute, int attempt) {
    if (minute < Forecast.MINUTES) {
      int cell = Math.max(minute, Forecast.OVERDUE);
      counted.merge(cell + "/" + Math.min(attempt + 1, Forecast.LAST_ATTEMPT), 1L, Long::sum);
    }
  }

  @Test
  void the_starts_that_then_happen_are_those_that_it_told_of() throws SQLException {
    park(200, Bench.QUEUE, "(i * 37) % 5 - 1", "i % 3");
    Map<String, Long> told = cells(Bench.QUEUE);

    Map<String, Long> started = new TreeMap<>();
    for (int minute = -1; minute < 5; minute++) {
      Optional<Lease> lease = bench.tryClaim(1_000);
      while (lease.isPresent()) {
        for (var claimed : lease.get().jobs()) {
          started.merge(minute + "/" + claimed.job().attempt(), 1L, Long::sum);
        }
        lease = bench.tryClaim(1_000);
      }
      // The clock cannot be moved: the jobs are.
      bench.execute("update ebb.job set run_at = run_at - interval '1 minute'");
    }

    assertThat(started).isEqualTo(told).isNotEmpty();
  }

  @Test
  void what_runs_is_left_out() throws SQLException {
    park(3, Bench.QUEUE, "-5", "0");
    bench.claim(2);

    assertThat(cells(Bench.QUEUE)).isEqualTo(Map.of("-1/1", 1L));
    assertThat(cells(null)).isEqualTo(Map.of("-1/1", 1L));
  }

  @Test
  void a_held_job_counts_when_its_hold_ends() throws SQLException {
    JobChanges changes = new JobChanges(bench.database);
    UUID forever = bench.submitOne();
    UUID until = bench.submitOne();

    changes.act(forever, new JobAction.Hold(null), Bench.ACT);
    changes.act(
        until,
        new JobAction.Hold(forecasts.next(null).asOf().plus(Duration.ofSeconds(10 * 60 + 30))),
        Bench.ACT);

    assertThat(cells(null)).isEqualTo(Map.of("10/1", 1L));
  }

  @Test
  void a_paused_queue_is_named_and_counts_only_where_it_is_asked_for() throws SQLException {
    Queues queues = new Queues(bench.database);
    RateLimit rate = RateLimit.of(5, Duration.ZERO, 3);
    queues.put("limited", new QueueSettings(false, null, rate, null), true, Bench.ACT);
    queues.pause("paused", null, Bench.ACT);
    park(1, "limited", "1", "0");
    park(2, "paused", "2", "0");

    Forecast all = forecasts.next(null);
    assertThat(all.pausedQueues()).containsExactly("paused");
    assertThat(cells(null)).isEqualTo(Map.of("1/1", 1L));
    assertThat(cells("paused")).isEqualTo(Map.of("2/1", 2L));
    assertThat(requireNonNull(forecasts.next("paused").queue()).paused()).isTrue();
    assertThat(forecasts.next("limited").queue()).isEqualTo(new Forecast.Queue("limited", false));

    bench.execute("update ebb.queue set paused_until = now() where paused");
    assertThat(cells(null)).hasSize(2);
    assertThat(forecasts.next(null).pausedQueues()).isEmpty();
  }

  @Test
  void what_is_due_already_counts_in_paused_queues_too() throws SQLException {
    new Queues(bench.database).pause("paused", null, Bench.ACT);
    park(2, "paused", "-5", "0");
    park(3, "paused", "5", "0");
    park(4, "other", "-5", "0");

    assertThat(cells(null)).isEqualTo(Map.of("-1/1", 6L));
  }

  @Test
  void what_is_due_is_exact_though_the_hour_is_an_estimate_and_the_other_way_round()
      throws SQLException {
    park(Forecasts.BUDGET + 1, "q", "5", "0");
    park(11, "q", "-5", "0");

    Forecast few = forecasts.next(null);
    assertThat(few.overdueExact()).isTrue();
    assertThat(few.exact()).isFalse();
    assertThat(few.cells()).contains(new Forecast.Cell(Forecast.OVERDUE, 1, 11));

    bench.execute("update ebb.job set run_at = run_at - interval '20 minutes'");
    park(7, "q", "5", "0");
    knowsTheHour(forecasts.next(null));
    knowsTheHour(forecasts.next("q"));
  }

  private static void knowsTheHour(Forecast many) {
    assertThat(many.overdueExact()).isFalse();
    assertThat(many.exact()).isTrue();
    assertThat(many.cells()).contains(new Forecast.Cell(5, 1, 7));
  }

  @Test
  void among_more_queues_than_it_looks_at_it_says_that_it_estimates() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '90 seconds', 3, 5, 'q' || i, 'echo', '{}'
        from generate_series(1, %s) i
        """
            .formatted(Forecasts.MOST_QUEUES));

    Forecast forecast = forecasts.next(null);

    assertThat(forecast.exact()).isFalse();
    assertThat(forecast.cells()).isEqualTo(List.of(new Forecast.Cell(1, 1, Forecasts.MOST_QUEUES)));
  }
}
