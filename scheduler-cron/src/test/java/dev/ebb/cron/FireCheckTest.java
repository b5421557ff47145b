package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.schedule.FireTally;
import dev.ebb.db.schedule.Firing;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checker of the proofs finds what is wrong. */
class FireCheckTest {
  private static final String LAST = "(select max(fire_at) from ebb.schedule_fire)";

  private final CronBench cron = new CronBench();
  private FireCheck check;

  /** A schedule that stood for two minutes, and what one node served of it. */
  @BeforeEach
  void serve() throws Exception {
    cron.putDue(CronBench.every("often", Duration.ofSeconds(1)), "2 minutes");
    check = new FireCheck(cron.bench);
    new Firing(cron.bench.database, "a").fireDue(new FireTally());
    assertThat(check.findings().isSound()).isTrue();
    assertThat(check.findings().missed()).isBetween(58L, 90L);
  }

  @AfterEach
  void close() throws Exception {
    cron.close();
  }

  @Test
  void a_fire_that_was_left_out_is_found() throws Exception {
    cron.bench.execute("delete from ebb.schedule_fire where fire_at = " + LAST);

    assertThat(check.findings().gaps()).isPositive();
  }

  @Test
  void a_misfire_for_which_no_mark_stands_is_found() throws Exception {
    cron.bench.execute("update ebb.schedule_fire set missed = missed - 1 where missed > 0");

    assertThat(check.findings().gaps()).isPositive();
  }

  @Test
  void a_fire_on_time_that_was_counted_as_missed_is_found() throws Exception {
    cron.bench.execute("update ebb.schedule_fire set missed = 1 where fire_at = " + LAST);
    cron.bench.execute(
        "delete from ebb.schedule_fire where fire_at = " + LAST + " - interval '1 second'");

    FireCheck.Findings found = check.findings();
    assertThat(found.gaps()).isZero();
    assertThat(found.miscounted()).isPositive();
  }

  @Test
  void misfires_that_each_make_a_job_are_found() throws Exception {
    cron.bench.execute("update ebb.schedule_fire set fired_at = fired_at + interval '1 hour'");

    assertThat(check.findings().misfiredTwice()).isPositive();
  }

  @Test
  void a_fire_without_its_job_and_a_second_job_of_another_are_found() throws Exception {
    cron.bench.execute(
        """
        update ebb.job
        set labels = (select labels from ebb.job order by labels ->> 'fireAt' limit 1)
        where labels ->> 'fireAt' = (select max(labels ->> 'fireAt') from ebb.job)
        """);

    assertThat(check.findings().madeTwice()).isPositive();
    assertThat(check.findings().unlike()).isPositive();
  }
}
