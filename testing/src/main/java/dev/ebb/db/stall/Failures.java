package dev.ebb.db.stall;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which failures count. Surefire runs each failed test once more; {@link FailedBefore} fails it
 * again, at once, unless the machine stood still while it ran or shortly before.
 */
final class Failures {
  /** Of this process. */
  static final Failures ALL = new Failures(Standstills.watching());

  /** What a standstill broke, such as a pool, a lease or a circuit, is mended by then. */
  private static final Duration BEFORE = Duration.ofSeconds(10);

  private final Standstills standstills;
  private final Map<String, Throwable> counted = new ConcurrentHashMap<>();

  Failures(Standstills standstills) {
    this.standstills = standstills;
  }

  /**
   * Counts a failure if the machine kept up.
   *
   * @param id of the test, or of the class whose setup failed
   * @param startNanos when it started, of the clock
   * @return how long the machine stood still; zero if the failure counts
   */
  Duration failed(String id, long startNanos, Throwable cause) {
    Duration longest = standstills.longestSince(startNanos - BEFORE.toNanos());
    if (longest.isZero()) {
      count(id, cause);
    }
    return longest;
  }

  void count(String id, Throwable cause) {
    counted.put(id, cause);
  }

  /** The failure that counts; null if it did not fail, or may be run again. */
  @Nullable Throwable counted(String id) {
    return counted.get(id);
  }
}
