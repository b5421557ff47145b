package dev.ebb.api.access;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How often each caller may ask this process: the generic cell rate algorithm (ITU-T I.371).
 *
 * <p>Of each caller one instant is kept: when all that it asked so far would have been asked at an
 * even rate. It may run ahead of the clock by a minute, which is the whole quota at once.
 */
final class RequestRate {
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int MOST_CALLERS = 10_000;

  private final int perMinute;
  private final LongSupplier nanoTime;
  private final Map<Object, Long> evenNanos = new ConcurrentHashMap<>();

  /**
   * @param perMinute 1 to 1,000,000
   */
  RequestRate(int perMinute, LongSupplier nanoTime) {
    this.perMinute = perMinute;
    this.nanoTime = nanoTime;
  }

  /** The quota as the header {@code RateLimit-Policy} says it. */
  String policy() {
    return "\"token\";q=" + perMinute + ";w=60";
  }

  /**
   * What a caller has left.
   *
   * @param allowed whether this request may go on
   * @param remaining requests
   * @param seconds until all are there again; for one that may not go on, until the next may
   */
  record Quota(boolean allowed, long remaining, long seconds) {}

  /** Takes one request of the caller's quota, unless it is used up. */
  Quota take(Object caller) {
    long interval = MINUTE_NANOS / perMinute;
    long now = nanoTime.getAsLong();
    forget(now);
    long[] ahead = new long[1];
    evenNanos.compute(
        caller,
        (_, even) -> {
          long start = even == null ? now : now + Math.max(0, even - now);
          ahead[0] = start + interval - now;
          return ahead[0] <= MINUTE_NANOS ? start + interval : start;
        });
    return ahead[0] <= MINUTE_NANOS
        ? new Quota(true, (MINUTE_NANOS - ahead[0]) / interval, seconds(ahead[0]))
        : new Quota(false, 0, seconds(ahead[0] - MINUTE_NANOS));
  }

  /** Those of whom something is kept. */
  int callers() {
    return evenNanos.size();
  }

  private static long seconds(long nanos) {
    return Math.ceilDiv(nanos, 1_000_000_000L);
  }

  /** A caller that does not run ahead is as good as one that never asked. */
  private void forget(long now) {
    if (evenNanos.size() > MOST_CALLERS) {
      evenNanos.values().removeIf(even -> even - now <= 0);
    }
  }
}
