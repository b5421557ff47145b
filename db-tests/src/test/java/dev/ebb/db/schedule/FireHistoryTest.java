package dev.ebb.db.schedule;

import static dev.ebb.db.schedule.ScheduleBench.HOURLY;
import static dev.ebb.db.schedule.ScheduleBench.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FireHistoryTest {
  private static final String FIRES =
      """
      insert into ebb.schedule_fire (schedule, fire_at, result)
      select '%s', now() - n * interval '%s', '%s' from generate_series(%s, %s) n
      """;

  @Test
  void of_each_schedule_the_last_thousand_of_thirty_days_stay_and_what_waits() throws SQLException {
    try (ScheduleBench bench = new ScheduleBench()) {
      for (int number = 0; number < 120; number++) {
        bench.put(schedule("busy" + number, HOURLY));
      }
      bench.put(schedule("rare", HOURLY));
      bench.put(schedule("seldom", HOURLY));
      bench.jobs.execute(FIRES.formatted("busy1", "1 second", "submitted", 1, 4_000));
      bench.jobs.execute(FIRES.formatted("busy1", "1 second", "waiting", 4_001, 4_010));
      bench.jobs.execute(FIRES.formatted("rare", "1 day", "misfired", 1, 45));
      bench.jobs.execute(FIRES.formatted("seldom", "1 year", "submitted", 1, 3));
      FireHistory history = new FireHistory(bench.jobs.database);

      while (history.prune()) {
        assertThat(bench.jobs.count("ebb.schedule_fire")).isPositive();
      }

      assertThat(of(bench, "busy1")).isEqualTo(1_010);
      assertThat(of(bench, "rare")).isEqualTo(29);
      assertThat(of(bench, "seldom")).isEqualTo(1);
      assertThat(history.prune()).isTrue();
      assertThat(of(bench, "busy1")).isEqualTo(1_010);
    }
  }

  private static long of(ScheduleBench bench, String name) throws SQLException {
    return bench.jobs.count("ebb.schedule_fire where schedule = '" + name + "'");
  }
}
