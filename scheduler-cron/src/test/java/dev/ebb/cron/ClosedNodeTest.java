package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks for threads by their name")
class ClosedNodeTest {
  private static final Duration TO_END = Duration.ofSeconds(30);

  @Test
  void a_node_that_is_closed_fires_no_more() throws Exception {
    try (CronBench cron = new CronBench()) {
      ScheduleRunner node = cron.node("a");
      cron.put(CronBench.every("often", Duration.ofSeconds(1)));
      cron.await("exists (select from ebb.schedule_fire)");

      node.close();

      assertThat(node.isHealthy()).isFalse();
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().startsWith("ebb-quartz"))
          .allSatisfy(thread -> assertThat(thread.join(TO_END)).isTrue());
    }
  }
}
