package dev.ebb.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The slots of a node whose queues have weights. */
class WeightTest {
  private static final int SLOTS = 100;

  private final Map<String, AtomicInteger> running =
      Map.of("light", new AtomicInteger(), "heavy", new AtomicInteger());
  private final Semaphore ends = new Semaphore(0);

  private Outcome run(JobContext context) throws InterruptedException {
    AtomicInteger beside = requireNonNull(running.get(context.job().queue()));
    beside.incrementAndGet();
    try {
      ends.acquire();
      return Outcome.completed();
    } finally {
      beside.decrementAndGet();
    }
  }

  private int running(String queue) {
    return requireNonNull(running.get(queue)).get();
  }

  private static void submit(WorkerBench bench, String queue) throws SQLException {
    NewJob job = NewJob.builder(WorkerBench.KIND, "{}").queue(queue).build();
    bench.jobs.submit(Collections.nCopies(1_000, job));
  }

  @Test
  void queues_with_due_jobs_share_the_slots_as_their_weights_are() throws Exception {
    try (WorkerBench bench = new WorkerBench()) {
      QueueSettings three = new QueueSettings(false, null, null, null, null, null, 3, Map.of());
      new Queues(bench.database).put("heavy", three, true, Bench.ACT);
      submit(bench, "light");
      submit(bench, "heavy");
      bench.start(WorkerBench.settings().withConcurrency(SLOTS), this::run);

      Await.until(
          "one ends after another until the queues have their shares",
          () -> {
            boolean isShared = running("light") == 20 && running("heavy") == 60;
            ends.release(isShared ? 0 : 1);
            return isShared;
          });
      assertThat(running("light")).isEqualTo(20);

      ends.release(10_000);
    }
  }
}
