package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers that run jobs with ordering keys. */
class OrderedJobsTest {
  private static final int KEYS = 10;
  private static final int JOBS_PER_KEY = 12;

  /** Some of the jobs fail once or twice. */
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(5), 1, Duration.ofMillis(5))),
          10);

  private final WorkerBench bench = new WorkerBench();
  private final Map<Integer, List<Integer>> completed = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicInteger> running = new ConcurrentHashMap<>();
  private final AtomicInteger doubles = new AtomicInteger();

  @AfterEach
  void close() {
    bench.close();
  }

  private void submitAll() throws SQLException {
    for (int place = 0; place < JOBS_PER_KEY; place++) {
      for (int key = 0; key < KEYS; key++) {
        bench.submit(
            NewJob.builder(WorkerBench.KIND, Integer.toString(key * JOBS_PER_KEY + place))
                .orderingKey("key-" + key)
                .policy(AT_ONCE)
                .build());
      }
    }
  }

  private Outcome run(JobContext context) {
    int number = Integer.parseInt(context.job().payload());
    int key = number / JOBS_PER_KEY;
    AtomicInteger ofKey = running.computeIfAbsent(key, _ -> new AtomicInteger());
    if (ofKey.incrementAndGet() > 1) {
      doubles.incrementAndGet();
    }
    boolean fails = context.job().attempt() <= number % 3;
    if (!fails) {
      completed.computeIfAbsent(key, _ -> new ArrayList<>()).add(number % JOBS_PER_KEY);
    }
    ofKey.decrementAndGet();
    return fails ? Outcome.failed("http_500", "no") : Outcome.completed();
  }

  @Test
  void two_nodes_run_each_key_in_its_order_and_one_at_a_time() throws Exception {
    submitAll();
    bench.start(this::run);
    bench.start(this::run);

    Await.until("all have ended", () -> bench.count("ebb.job") == 0);

    assertThat(doubles).hasValue(0);
    assertThat(completed).hasSize(KEYS);
    assertThat(completed.values())
        .allSatisfy(places -> assertThat(places).hasSize(JOBS_PER_KEY).isSorted());
  }
}
