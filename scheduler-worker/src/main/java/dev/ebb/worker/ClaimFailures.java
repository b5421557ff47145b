package dev.ebb.worker;

import dev.ebb.db.loop.FailureLog;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims that have failed since the last one that succeeded. One that fails says little: its
 * queue is asked again apart from the others. But if all do, from whatever queue, the node takes no
 * work.
 */
final class ClaimFailures {
  private static final int MANY = 3;
  private static final Duration LONG = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private int failures;
  private long firstNanos;
  private @Nullable Throwable last;

  ClaimFailures(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void failed(Throwable why) {
    if (failures++ == 0) {
      firstNanos = nanoTime.getAsLong();
    }
    last = why;
  }

  synchronized void succeeded() {
    failures = 0;
    last = null;
  }

  /**
   * What is wrong, for people: {@code null} unless claims have failed at least three times, for at
   * least five seconds, and none succeeded meanwhile.
   */
  synchronized @Nullable String trouble() {
    Throwable why = last;
    return why != null && failures >= MANY && nanoTime.getAsLong() - firstNanos >= LONG.toNanos()
        ? "claims keep failing: " + FailureLog.words(why)
        : null;
  }
}
