package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database's clock steps while workers drain a limited queue, as it does at a failover. */
@Proof
class SteppingClockTest {
  private static final NewJob LONG_DUE =
      NewJob.builder(WorkerBench.KIND, "{}").runAt(Instant.parse("2026-01-01T00:00:00Z")).build();

  /** A burst and the most expensive permit are paid for ahead; a busy machine takes the rest. */
  private static final double CAP = 0.05 + 0.015 + 0.5;

  private final ConcurrentLinkedQueue<Long> starts = new ConcurrentLinkedQueue<>();

  /** Seconds from the first start to each. */
  private List<Double> seconds() {
    List<Long> nanos = starts.stream().sorted().toList();
    return nanos.stream().map(at -> (at - nanos.getFirst()) / 1e9).toList();
  }

  private void awaitSeconds(double length) throws Exception {
    Await.until(length + " s of starts", () -> !starts.isEmpty() && seconds().getLast() >= length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT1H", "-PT10S"})
  void a_step_back_neither_stalls_a_queue_for_longer_than_the_cap_nor_opens_it(Duration step)
      throws Exception {
    assumeTrue(SteppingPostgres.isAvailable(), "it takes a container engine and libfaketime");
    Judged.holds(
        "starts around a step of " + step,
        TestPostgres.shared().config("postgres"),
        _ -> {
          starts.clear();
          try (SteppingPostgres postgres = new SteppingPostgres(step);
              WorkerBench bench = new WorkerBench(postgres.config())) {
            return run(postgres, bench, step);
          }
        });
  }

  private Optional<AssertionError> run(SteppingPostgres postgres, WorkerBench bench, Duration step)
      throws Exception {
    bench.start(context -> {
      if (context.job().queue().equals(NewJob.DEFAULT_QUEUE)) {
        starts.add(System.nanoTime());
      }
      return Outcome.completed();
    });
    practise(bench);
    new Queues(bench.database)
        .put(
            NewJob.DEFAULT_QUEUE,
            new QueueSettings(false, null, Ramp.LIMIT, null),
            true,
            Bench.ACT);
    for (int i = 0; i < 3; i++) {
      bench.jobs.submit(Collections.nCopies(1_000, LONG_DUE));
    }
    awaitSeconds(5);
    assertAhead(postgres, step.negated());

    postgres.step();

    double stepped = seconds().getLast();
    assertAhead(postgres, Duration.ZERO);
    awaitSeconds(12);
    Ramp.assertNotAbove(seconds());
    return Judged.missed(() -> assertNotBelow(stepped));
  }

  private static void assertAhead(SteppingPostgres postgres, Duration length) throws Exception {
    assertThat(Duration.between(Instant.now(), postgres.clock()))
        .isCloseTo(length, Duration.ofSeconds(3));
  }

  private void assertNotBelow(double stepped) {
    assertThat(longestGap(seconds(), stepped - 1)).isLessThan(CAP);
    double last = seconds().getLast();
    assertThat((double) seconds().size())
        .isGreaterThan(0.98 * Ramp.dueFromCold(last - CAP) - Ramp.BURST);
  }

  /** A first job takes longer than its place on the curve. */
  private static void practise(WorkerBench bench) throws Exception {
    NewJob job = NewJob.builder(WorkerBench.KIND, "{}").queue("practice").build();
    bench.jobs.submit(Collections.nCopies(200, job));
    Await.until("practice is over", () -> bench.count("ebb.history") == 200);
  }

  private static double longestGap(List<Double> seconds, double from) {
    double longest = 0;
    for (int i = 1; i < seconds.size(); i++) {
      if (seconds.get(i) >= from) {
        longest = Math.max(longest, seconds.get(i) - seconds.get(i - 1));
      }
    }
    return longest;
  }
}
