package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;
import static dev.ebb.core.InvalidInput.requireDuration;

import dev.ebb.core.Durations;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When a failed job runs again, and when it is given up.
 *
 * @param maxAttempts how often it may be started, 1 to {@value #MAX_ATTEMPTS}
 * @param deadline no attempt starts later than this after submit, after a later time for which
 *     somebody asked, or after a redrive; PT0S to P3650D; {@code null} for none
 * @param priorityScale by priority, the factor for the delays, 0.01 to 100; 1 where absent
 */
public record RetryPolicy(
    Backoff backoff,
    int maxAttempts,
    @Nullable Duration deadline,
    Map<Integer, Double> priorityScale) {
  public static final int MAX_ATTEMPTS = 1000;

  private static final double MIN_SCALE = 0.01;
  private static final double MAX_SCALE = 100;

  public RetryPolicy {
    requireMaxAttempts(maxAttempts);
    if (deadline != null) {
      requireDuration(deadline, "deadline");
    }
    priorityScale.forEach(RetryPolicy::requireScale);
    priorityScale = Collections.unmodifiableMap(new TreeMap<>(priorityScale));
  }

  /** A policy without a deadline that treats every priority alike. */
  public static RetryPolicy of(Backoff backoff, int maxAttempts) {
    return new RetryPolicy(backoff, maxAttempts, null, Map.of());
  }

  /**
   * The distribution of the delay after the n-th failure of a job: scaled by its priority, and
   * never beyond the backoff's longest delay.
   *
   * @param n from 1
   */
  public Backoff.Draw draw(int priority, int n) {
    Backoff.Draw draw = scaledFor(priority).draw(n);
    return (previous, random) -> Durations.min(backoff.maxDelay(), draw.after(previous, random));
  }

  /**
   * The shortest delay that {@link #draw} can give.
   *
   * @param n from 1
   */
  public Duration earliest(int priority, int n) {
    return Durations.min(backoff.maxDelay(), scaledFor(priority).earliest(n));
  }

  /**
   * The longest delay that {@link #draw} can give.
   *
   * @param n from 1
   */
  public Duration latest(int priority, int n) {
    return Durations.min(backoff.maxDelay(), scaledFor(priority).latest(n));
  }

  /** The last instant at which an attempt may start; {@code null} without a deadline. */
  public @Nullable Instant lastStart(Instant budgetFrom) {
    return deadline == null ? null : budgetFrom.plus(deadline);
  }

  /** Throws {@link InvalidInput} on the field {@code maxAttempts} unless it is a budget. */
  public static void requireMaxAttempts(int maxAttempts) {
    requireBetween(maxAttempts, 1, MAX_ATTEMPTS, "maxAttempts");
  }

  private Backoff scaledFor(int priority) {
    double scale = priorityScale.getOrDefault(priority, 1.0);
    return scale == 1 ? backoff : backoff.scaled(scale);
  }

  private static void requireScale(Integer priority, Double scale) {
    require(
        Priority.isOne(priority),
        "priorityScale",
        "must have priorities between " + Priority.MIN + " and " + Priority.MAX + " as names");
    require(
        scale >= MIN_SCALE && scale <= MAX_SCALE,
        "priorityScale." + priority,
        "must be between 0.01 and 100");
  }
}
