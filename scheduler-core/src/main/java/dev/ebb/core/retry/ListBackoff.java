package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireDuration;

import dev.ebb.core.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * The n-th step of a list, as contracts with merchants promise them; after the last, the last
 * again.
 *
 * @param steps 1 to {@value #MAX_STEPS} delays, PT0S to P3650D
 * @param proportion how much of a step jitter may take off, 0 to 1
 */
public record ListBackoff(List<Duration> steps, double proportion) implements Backoff {
  static final int MAX_STEPS = 100;

  public ListBackoff {
    require(
        !steps.isEmpty() && steps.size() <= MAX_STEPS,
        "steps",
        "must be 1 to " + MAX_STEPS + " durations");
    for (int i = 0; i < steps.size(); i++) {
      requireDuration(steps.get(i), "steps[" + i + "]");
    }
    require(proportion >= 0 && proportion <= 1, "proportion", "must be between 0 and 1");
    // No negative zero, which equals would tell apart.
    proportion += 0.0;
    steps = List.copyOf(steps);
  }

  @Override
  public Duration earliest(int n) {
    Duration step = latest(n);
    return step.minus(Growth.times(step, BigDecimal.valueOf(proportion), step));
  }

  @Override
  public Duration latest(int n) {
    require(n >= 1, "n", "must be 1 or more");
    return steps.get(Math.min(n, steps.size()) - 1);
  }

  @Override
  public Duration maxDelay() {
    return steps.stream().reduce(Duration.ZERO, Durations::max);
  }

  @Override
  public Backoff scaled(double scale) {
    BigDecimal exact = BigDecimal.valueOf(scale);
    Duration cap = maxDelay();
    return new ListBackoff(
        steps.stream().map(s -> Growth.times(s, exact, cap)).toList(), proportion);
  }
}
