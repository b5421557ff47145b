package dev.ebb.db.schedule;

import static dev.ebb.db.schedule.ScheduleBench.HOURLY;
import static dev.ebb.db.schedule.ScheduleBench.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node notices of schedules that do not fire when they should. */
class OverdueTest {
  private ScheduleBench bench;

  @BeforeEach
  void open() {
    bench = new ScheduleBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_schedule_is_overdue_once_it_has_been_due_for_more_than_a_second() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.stopped("one", Duration.ofSeconds(3));

    assertThat(bench.firing.look().overdue()).isTrue();
    bench.fireDue();
    assertThat(bench.firing.look().overdue()).isFalse();
  }

  @Test
  void a_schedule_whose_clock_ran_ahead_goes_on_and_makes_no_second_job_of_a_time()
      throws SQLException {
    bench.put(schedule("ahead", new Timing.Every(Duration.ofSeconds(1))));
    bench.put(schedule("far", HOURLY));
    bench.put(schedule("paused", HOURLY));
    bench.schedules.pause("paused", Bench.ACT);
    Instant far = bench.find("far").nextFireAt();
    // It fired ahead of its time, which comes again in moments.
    bench.jobs.execute(
        """
        insert into ebb.schedule_fire (schedule, fire_at)
        select 'ahead', date_trunc('second', now()) + i * interval '1 second'
        from generate_series(0, 2) i;
        update ebb.schedule
        set next_fire_at = next_fire_at + interval '1 hour' where name in ('ahead', 'paused')
        """);
    Instant paused = bench.find("paused").nextFireAt();

    assertThat(bench.firing.bringNear()).containsExactly("ahead");

    assertThat(bench.firing.bringNear()).isEmpty();
    assertThat(bench.find("far").nextFireAt()).isEqualTo(far);
    assertThat(bench.find("paused").nextFireAt()).isEqualTo(paused);
    assertThat(bench.find("ahead").nextFireAt())
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    bench.jobs.execute(
        "update ebb.schedule set next_fire_at = (select min(fire_at) from ebb.schedule_fire),"
            + " origin = origin - interval '1 minute' where name = 'ahead'");
    bench.jobs.awaitRow(
        "(select max(fire_at) from ebb.schedule_fire where schedule = 'ahead') f (at)"
            + " where clock_timestamp() > at",
        Duration.ofMinutes(1));
    bench.fireDue();

    assertThat(bench.jobs.count("ebb.job where labels ->> 'schedule' = 'ahead'"))
        .as("of the times that were marked already")
        .isLessThanOrEqualTo(bench.jobs.count("ebb.schedule_fire where node = 'node'"));
  }

  @Test
  void a_schedule_that_is_paused_or_not_yet_due_does_not_fire() throws SQLException {
    bench.put(schedule("later", HOURLY));
    bench.put(schedule("paused", HOURLY));
    bench.stopped("paused", Duration.ZERO);
    bench.schedules.pause("paused", Bench.ACT);

    assertThat(bench.fireDue().fires()).isEmpty();

    assertThat(bench.jobs.count("ebb.job")).isZero();
  }
}
