package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ebb.db.schema.DmlRole;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Quartz under a role that reads and writes rows and owns nothing. */
@Isolated("takes the log of the process")
class QuartzRoleTest {
  /** It died with a trigger that it had acquired. */
  private static final String DEAD_NODE =
      """
      insert into ebb.qrtz_scheduler_state values ('ebb', 'dead', 1000, 2000);
      insert into ebb.qrtz_fired_triggers (sched_name, entry_id, trigger_name, trigger_group,
        instance_name, fired_time, sched_time, priority, state)
      values ('ebb', 'dead-1', 'gone', 'ebb', 'dead', 1000, 1000, 5, 'ACQUIRED')
      """;

  @Test
  void the_role_of_the_nodes_suffices_to_fire_to_take_over_and_to_stop() throws Exception {
    try (CronBench cron = new CronBench(DmlRole.create().node());
        NodeLog log = NodeLog.withQuartz()) {
      cron.bench.execute(DEAD_NODE);
      cron.put(CronBench.every("often", Duration.ofSeconds(1)));
      try (ScheduleRunner node = cron.node("a")) {
        cron.await("count(*) >= 3 from ebb.schedule_fire where result = 'submitted'");
        cron.await("not exists (select from ebb.qrtz_fired_triggers where instance_name = 'dead')");
        cron.await("array_agg(instance_name::text) = '{a}' from ebb.qrtz_scheduler_state");
        cron.bench.execute("delete from ebb.schedule");
        cron.await("not exists (select from ebb.qrtz_triggers)");
        assertThat(node.isHealthy()).isTrue();
      }

      assertThat(log.events())
          .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
          .extracting(ILoggingEvent::getFormattedMessage)
          .allMatch(message -> message.startsWith("ClusterManager: "));
      assertThat(cron.meters.find("ebb.failures").counters())
          .allMatch(counter -> counter.count() == 0);
    }
  }
}
