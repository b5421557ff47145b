package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.start.PausedStart;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Schedules while the start of the cluster is paused. */
class PausedStartTest {
  private final CronBench cron = new CronBench();

  @AfterEach
  void close() throws Exception {
    cron.close();
  }

  @Test
  void no_schedule_fires_and_what_was_missed_is_served_by_its_rule_once_people_resume()
      throws Exception {
    PausedStart start = new PausedStart(cron.bench.database);
    start.pause(Bench.ACT);
    cron.putDue(CronBench.every("hourly", Duration.ofHours(1)), "330 minutes");
    cron.putDue(CronBench.queued("each", Duration.ofHours(1)), "330 minutes");
    cron.bench.execute("update ebb.schedule set origin = next_fire_at");
    cron.node("a");

    // Time enough for many looks at what is due.
    assertThat(new CountDownLatch(1).await(8, TimeUnit.SECONDS)).isFalse();
    assertThat(cron.number("count(*) from ebb.schedule_fire")).isZero();
    assertThat(cron.number("count(*) from ebb.job")).isZero();

    start.resume(Bench.ACT);
    cron.await("count(*) >= 2 from ebb.job");
    cron.await("next_fire_at > now() from ebb.schedule where name = 'each'");
    assertThat(cron.number("count(*) from ebb.job where labels ->> 'schedule' = 'hourly'")).isOne();
    assertThat(cron.number("coalesce(max(waiting), 0) from ebb.schedule where name = 'each'"))
        .isGreaterThanOrEqualTo(4);
  }
}
