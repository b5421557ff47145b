package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Backoff;
import dev.ebb.core.Failure;
import dev.ebb.core.Growth;
import dev.ebb.core.NewJob;
import dev.ebb.core.Outcome;
import dev.ebb.core.RateLimit;
import dev.ebb.core.RetryPolicy;
import dev.ebb.db.Queues;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A merchant that takes 50 calls in any second and answers 429 to the rest, and a limit of 200. */
class ThrottlingMerchantTest {
  private static final int TAKES_PER_SECOND = 50;
  private static final Duration SETTLING = Duration.ofSeconds(15);

  /** Some of the cycles in which it probes, is cut, and recovers. */
  private static final Duration MEASURED = Duration.ofSeconds(45);

  private static final RetryPolicy PATIENT =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofSeconds(1), 2, Duration.ofSeconds(10))),
          1000);

  /** What came of the calls in the measured time. */
  private record Found(double acceptedPerSecond, double wasted) {}

  private static final class Throttling {
    private final ArrayDeque<Long> window = new ArrayDeque<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    synchronized boolean takes() {
      long now = System.nanoTime();
      while (!window.isEmpty() && now - window.element() >= 1_000_000_000L) {
        window.remove();
      }
      boolean takes = window.size() < TAKES_PER_SECOND;
      if (takes) {
        window.add(now);
      }
      (takes ? accepted : refused).incrementAndGet();
      return takes;
    }
  }

  private static Found run(double throttleFactor, Duration settling, Duration measured)
      throws Exception {
    Throttling merchant = new Throttling();
    try (WorkerBench bench = new WorkerBench()) {
      RateLimit limit = new RateLimit(200, Duration.ZERO, 1, throttleFactor);
      new Queues(bench.database)
          .put(NewJob.DEFAULT_QUEUE, new Queues.Settings(false, PATIENT, limit, null), true);
      for (int i = 0; i < 10; i++) {
        bench.jobs.submit(Collections.nCopies(1_000, NewJob.of(WorkerBench.KIND, "{}")));
      }
      bench.start(_ ->
          merchant.takes()
              ? Outcome.completed()
              : new Outcome.Throttled(new Failure("http_429", "slow down"), Duration.ZERO));
      awaitFor(settling);
      int accepted = merchant.accepted.get();
      int refused = merchant.refused.get();
      awaitFor(measured);
      accepted = merchant.accepted.get() - accepted;
      refused = merchant.refused.get() - refused;
      return new Found(
          (double) accepted / measured.toSeconds(), (double) refused / (accepted + refused));
    }
  }

  private static void awaitFor(Duration length) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    Await.until("the time is over", length.multipliedBy(2), () -> System.nanoTime() - end > 0);
  }

  @Test
  void the_rate_converges_to_what_the_merchant_takes_and_wastes_less_than_a_tenth()
      throws Exception {
    Found found = run(0.5, SETTLING, MEASURED);
    System.out.println("a merchant that takes 50 a second: " + found);

    assertThat(found.acceptedPerSecond).isBetween(40.0, 50.5);
    assertThat(found.wasted).isLessThan(0.1);
  }

  @Test
  void control_with_the_loop_off_more_than_half_of_the_calls_are_wasted() throws Exception {
    assertThat(run(1, Duration.ofSeconds(2), Duration.ofSeconds(8)).wasted).isGreaterThan(0.5);
  }
}
