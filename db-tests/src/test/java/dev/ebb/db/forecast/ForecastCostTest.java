package dev.ebb.db.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a forecast costs among 120,000 parked jobs, by PostgreSQL's own counts of blocks. */
class ForecastCostTest {
  private static final int JOBS = 120_000;

  private static Bench bench;
  private static Forecasts forecasts;

  @BeforeAll
  static void fill() throws SQLException {
    bench = new Bench();
    forecasts = new Forecasts(bench.database);
    bench.countBlocks();
    assertThat(forecasts.next(null).cells()).isEmpty();
    // Most are due within the hour; those of the queue "late" are not, but for a few.
    bench.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select
          now() + case
            when i %% 3 = 0 and i > 3000 then interval '2 days'
            else (i / 3 %% 60) * interval '1 minute' + interval '30 seconds'
          end,
          i %% 4, 9, i %% 10, case i %% 3 when 0 then 'late' else 'q' end, 'echo', '{"order":1}'
        from generate_series(1, %s) i
        """
            .formatted(JOBS));
    bench.execute("vacuum analyze ebb.job");
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  private static Forecast measured(@Nullable String queue, long mostBlocks) throws SQLException {
    bench.resetBlocks();
    Forecast forecast = forecasts.next(queue);
    assertThat(bench.blocks("%interval ''60 minutes''%") + bench.blocks("%interval%"))
        .isPositive()
        .isLessThan(2 * mostBlocks);
    return forecast;
  }

  /** The budget's rows, from an index, and the sample's blocks. */
  private static final long MOST = 2L * Forecasts.BUDGET + 2L * BlockSample.BLOCKS;

  @Test
  void a_forecast_of_all_is_an_estimate_of_bounded_cost() throws SQLException {
    isNear(measured(null, MOST), 2L * JOBS / 3 + 1_000);
  }

  @Test
  void a_forecast_of_a_large_queue_is_an_estimate_of_bounded_cost() throws SQLException {
    isNear(measured("q", MOST), 2L * JOBS / 3);
  }

  @Test
  void a_queue_whose_jobs_are_due_later_is_counted_exactly() throws SQLException {
    Forecast forecast = measured("late", MOST);

    assertThat(forecast.exact()).isTrue();
    assertThat(forecast.cells().stream().mapToLong(Forecast.Cell::jobs).sum()).isEqualTo(1_000);
  }

  private static void isNear(Forecast forecast, long there) {
    assertThat(forecast.exact()).isFalse();
    Map<Integer, Long> minutes = new TreeMap<>();
    Map<Integer, Long> attempts = new TreeMap<>();
    for (Forecast.Cell cell : forecast.cells()) {
      minutes.merge(cell.minute(), cell.jobs(), Long::sum);
      attempts.merge(cell.attempt(), cell.jobs(), Long::sum);
    }
    assertThat(minutes).hasSizeBetween(59, 61);
    assertThat(attempts).hasSize(4);
    for (long jobs : attempts.values()) {
      assertThat((double) jobs).isCloseTo(there / 4.0, within(0.3 * there / 4));
    }
  }
}
