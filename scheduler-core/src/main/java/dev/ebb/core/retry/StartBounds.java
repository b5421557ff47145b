package dev.ebb.core.retry;

import dev.ebb.core.Durations;
import java.time.Duration;
import java.util.Arrays;

/**
 * The earliest and the latest that every attempt can start if all fail at once, by addition alone;
 * all times count from the submit.
 */
final class StartBounds {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final Duration[] first;
  private final Duration[] last;
  private final Duration deadline;

  private StartBounds(Duration[] first, Duration[] last, Duration deadline) {
    this.first = first;
    this.last = last;
    this.deadline = deadline;
  }

  static StartBounds of(RetryPolicy policy, int priority, int maxAttempts) {
    Duration[] first = new Duration[maxAttempts];
    Duration[] last = new Duration[maxAttempts];
    first[0] = Duration.ZERO;
    last[0] = Duration.ZERO;
    for (int n = 1; n < maxAttempts; n++) {
      first[n] = first[n - 1].plus(policy.earliest(priority, n));
      last[n] = last[n - 1].plus(policy.latest(priority, n));
    }
    return new StartBounds(first, last, deadline(policy));
  }

  /** The policy's deadline, or the end of time. */
  static Duration deadline(RetryPolicy policy) {
    Duration deadline = policy.deadline();
    return deadline == null ? FOREVER : deadline;
  }

  /** The policy's deadline, or the end of time. */
  Duration deadline() {
    return deadline;
  }

  /** Whether every delay is certain. */
  boolean isCertain() {
    return Arrays.equals(first, last);
  }

  /** The earliest start of an attempt, from 1; beyond the deadline where it is never reached. */
  Duration earliest(int n) {
    return first[n - 1];
  }

  /** The latest start of an attempt, from 1, among the jobs that reach it. */
  Duration latest(int n) {
    return Durations.min(last[n - 1], deadline);
  }

  /**
   * A job is given up at its last attempt, or at one from which even the longest delay, and
   * therefore possibly the one drawn, leads past the deadline.
   */
  Duration firstGiveUp() {
    int attempts = first.length;
    Duration best = earliest(attempts);
    for (int n = 1; n < attempts; n++) {
      Duration longestDelay = last[n].minus(last[n - 1]);
      Duration past = deadline.minus(longestDelay).plusNanos(1);
      Duration possible = Durations.max(earliest(n), past);
      if (possible.compareTo(latest(n)) <= 0) {
        best = Durations.min(best, possible);
      }
    }
    return best;
  }

  /** The deadline if a job can still start an attempt at it, otherwise the last start before it. */
  Duration lastGiveUp() {
    Duration latest = Duration.ZERO;
    for (int n = 1; n <= first.length && earliest(n).compareTo(deadline) <= 0; n++) {
      latest = latest(n);
    }
    return latest;
  }
}
