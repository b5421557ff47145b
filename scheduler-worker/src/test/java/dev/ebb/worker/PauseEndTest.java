package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.queue.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A pause that ends by itself, with workers that nobody tells. */
class PauseEndTest {
  @Test
  void workers_start_a_queues_jobs_when_its_pause_ends_and_no_sooner() throws Exception {
    try (WorkerBench bench = new WorkerBench()) {
      Instant now = bench.jobs.expiry().now();
      Instant until = now.plus(Duration.ofSeconds(2));
      new Queues(bench.database).pause(NewJob.DEFAULT_QUEUE, until, Act.onMachine("test"));
      UUID paused = bench.submit("{}");
      UUID other = bench.submit(NewJob.builder(WorkerBench.KIND, "{}").queue("other").build());
      for (String node : new String[] {"one", "two"}) {
        bench.start(WorkerBench.settings().withNode(node), _ -> Outcome.completed());
      }

      bench.awaitState(other, JobState.COMPLETED);
      bench.awaitState(paused, JobState.COMPLETED);

      assertThat(bench.view(paused).times().startedAt()).isAfterOrEqualTo(until);
    }
  }
}
