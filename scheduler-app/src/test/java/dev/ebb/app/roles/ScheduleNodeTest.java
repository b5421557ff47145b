package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.schedule.ScheduleBench;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleNodeTest {
  /** The nodes that Quartz knows. */
  private static final String CLUSTER = "ebb.qrtz_scheduler_state";

  private static final String BY_ANOTHER =
      """
      ebb.schedule_fire f
      where not exists (
        select from ebb.qrtz_scheduler_state s where s.instance_name = f.node)
      """;

  @Test
  void a_worker_whose_scheduler_is_off_fires_nothing_and_one_beside_it_fires() throws Exception {
    try (ScheduleBench schedules = new ScheduleBench(TestPostgres.shared().newDatabase());
        StartingNode off = worker(schedules, Map.of("EBB_SCHEDULER", "off"))) {
      schedules.put(ScheduleBench.schedule("due", ScheduleBench.HOURLY));
      schedules.stopped("due", Duration.ofMinutes(90));
      off.awaitStarted();
      assertThat(off.get("/metrics"))
          .contains("ebb_jobs_running")
          .doesNotContain("ebb_schedule_fires");
      assertThat(schedules.jobs.count(CLUSTER)).isZero();

      try (StartingNode on = worker(schedules, Map.of())) {
        on.awaitStarted();
        assertThat(on.get("/metrics")).contains("ebb_schedule_fires");
        schedules.jobs.awaitRow("ebb.schedule_fire", Duration.ofSeconds(30));

        assertThat(schedules.jobs.count(CLUSTER)).isOne();
        assertThat(schedules.jobs.count(BY_ANOTHER)).isZero();
      }
    }
  }

  private static StartingNode worker(ScheduleBench schedules, Map<String, String> variables) {
    return new StartingNode(Node::startWorker, schedules.jobs.config, variables);
  }
}
