package dev.ebb.bench.child;

import dev.ebb.bench.contender.Contender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * The work of every job: it counts how often each number ran, and fails as often as it was told to.
 */
public final class Runs implements Contender.Work {
  private static final Duration LOUD = Duration.ofMillis(500);

  private final int failures;
  private final AtomicIntegerArray runs;
  private final long[] startedNanos;
  private final AtomicInteger succeeded = new AtomicInteger();
  private volatile int loudFrom = Integer.MAX_VALUE;

  /** The failure that was asked for; it has no stack, so that no system is billed for one. */
  public static final class Planned extends Exception {
    Planned() {
      super("planned", null, false, false);
    }
  }

  public Runs(int numbers, int failures) {
    this.failures = failures;
    this.runs = new AtomicIntegerArray(numbers);
    this.startedNanos = new long[numbers];
  }

  /** Has the numbers from this one on run for half a second each; they are not counted. */
  void loudFrom(int number) {
    loudFrom = number;
  }

  @Override
  public void run(int number) throws Planned, InterruptedException {
    if (number >= loudFrom) {
      Thread.sleep(LOUD);
      return;
    }
    startedNanos[number] = System.nanoTime();
    if (runs.incrementAndGet(number) <= failures) {
      throw new Planned();
    }
    succeeded.incrementAndGet();
  }

  public int succeeded() {
    return succeeded.get();
  }

  /** When the number's last run started; to be read after {@link #succeeded} counted it. */
  long startedNanos(int number) {
    return startedNanos[number];
  }

  public List<Integer> perNumber() {
    return IntStream.range(0, runs.length()).mapToObj(runs::get).toList();
  }
}
