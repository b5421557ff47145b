package dev.ebb.core;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When a failed job runs again, and when it is given up.
 *
 * @param maxAttempts how often it may be started, 1 to {@value #MAX_ATTEMPTS}
 * @param deadline no attempt starts later than this after submit or redrive; {@code null} for none
 * @param priorityScale by priority, what the delays are multiplied with; 1 where absent
 */
public record RetryPolicy(
    Backoff backoff,
    int maxAttempts,
    @Nullable Duration deadline,
    Map<Integer, Double> priorityScale) {
  public static final int MAX_ATTEMPTS = 1000;

  public static RetryPolicy preset(String name) {
    return new RetryPolicy(new Backoff.None(), 16, null, Map.of());
  }
}
