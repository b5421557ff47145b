package dev.ebb.core;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireDuration;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How long to wait after the n-th failure: a growth and the jitter that spreads jobs which failed
 * together.
 *
 * <p>Full, equal and decorrelated jitter are those of Marc Brooker's "Exponential Backoff and
 * Jitter" (AWS Architecture Blog, 2015). All draws are uniform and exact to the nanosecond, both
 * ends included.
 *
 * <pre>
 *   full           [floor ················ ceiling]
 *   equal                       [ceiling/2 · ceiling]
 *   none                                     ceiling
 *   additive                                [ceiling ··· ceiling + spread]
 *   decorrelated   [base ·········· 3 · previous]      cut at the cap
 *   slots          0 │ slot │ 2 slot │ … │ (2^min(n,10) − 1) slot
 *   list                      [step · (1−proportion) ·· step]
 * </pre>
 */
public sealed interface Backoff {

  /** A delay's distribution after a given number of failures. */
  @FunctionalInterface
  interface Draw {
    /** Draws a delay; only decorrelated jitter looks at the delay before it. */
    Duration after(Duration previous, RandomGenerator random);
  }

  /**
   * The shortest delay after the n-th failure.
   *
   * @param n from 1
   */
  Duration earliest(int n);

  /**
   * The longest delay after the n-th failure.
   *
   * @param n from 1
   */
  Duration latest(int n);

  /** The longest delay after any failure; no Retry-After waits longer. */
  Duration maxDelay();

  /**
   * The same backoff with base, slot or steps multiplied, but never beyond the cap; floor, spread
   * and cap stay.
   *
   * @param scale 0.01 to 100
   */
  Backoff scaled(double scale);

  /**
   * The distribution of the delay after the n-th failure, to draw from often.
   *
   * @param n from 1
   */
  default Draw draw(int n) {
    Duration earliest = earliest(n);
    Duration latest = latest(n);
    return (_, random) -> uniform(earliest, latest, random);
  }

  /**
   * Draws the delay after the n-th failure.
   *
   * @param n from 1
   * @param previous the delay drawn before; zero after the first failure
   */
  default Duration delay(int n, Duration previous, RandomGenerator random) {
    return draw(n).after(previous, random);
  }

  /**
   * Uniform between floor and ceiling: the fewest collisions, and on average half the ceiling.
   *
   * @param floor the shortest delay, PT0S to the cap; a ceiling below it gives way to it
   */
  record Full(Duration floor, Growth growth) implements Backoff {
    public Full {
      requireDuration(floor, "floor");
      require(floor.compareTo(growth.cap()) <= 0, "floor", "must not be longer than cap");
    }

    @Override
    public Duration earliest(int n) {
      require(n >= 1, "n", "must be 1 or more");
      return floor;
    }

    @Override
    public Duration latest(int n) {
      return max(floor, growth.ceiling(n));
    }

    @Override
    public Duration maxDelay() {
      return growth.cap();
    }

    @Override
    public Backoff scaled(double scale) {
      return new Full(floor, growth.scaled(scale));
    }
  }

  /** Half the ceiling for certain, the other half uniform: never at once. */
  record Equal(Growth growth) implements Backoff {
    @Override
    public Duration earliest(int n) {
      return growth.ceiling(n).dividedBy(2);
    }

    @Override
    public Duration latest(int n) {
      return growth.ceiling(n);
    }

    @Override
    public Duration maxDelay() {
      return growth.cap();
    }

    @Override
    public Backoff scaled(double scale) {
      return new Equal(growth.scaled(scale));
    }
  }

  /**
   * Uniform between the base and three times the previous delay, cut at the cap: grows by chance,
   * not by the number of failures.
   *
   * @param base the shortest delay, PT0S to the cap; counts as the delay before the first
   * @param cap the longest delay, at most P3650D
   */
  record Decorrelated(Duration base, Duration cap) implements Backoff {
    private static final int GROWTH = 3;

    public Decorrelated {
      requireDuration(base, "base");
      requireDuration(cap, "cap");
      require(base.compareTo(cap) <= 0, "base", "must not be longer than cap");
    }

    @Override
    public Duration earliest(int n) {
      require(n >= 1, "n", "must be 1 or more");
      return base;
    }

    /** The longest where every previous delay was drawn from here, too. */
    @Override
    public Duration latest(int n) {
      Duration previous = new Growth(base, GROWTH, cap).ceiling(n);
      return min(cap, previous.multipliedBy(GROWTH));
    }

    @Override
    public Duration maxDelay() {
      return cap;
    }

    @Override
    public Backoff scaled(double scale) {
      return new Decorrelated(Growth.times(base, BigDecimal.valueOf(scale), cap), cap);
    }

    @Override
    public Draw draw(int n) {
      require(n >= 1, "n", "must be 1 or more");
      return (previous, random) -> {
        Duration counted = max(base, min(cap, previous));
        return min(cap, uniform(base, counted.multipliedBy(GROWTH), random));
      };
    }
  }

  /**
   * The ceiling and something on top, which may lie beyond the cap.
   *
   * @param spread the most that is put on top, PT0S to P3650D
   */
  record Additive(Duration spread, Growth growth) implements Backoff {
    public Additive {
      requireDuration(spread, "spread");
    }

    @Override
    public Duration earliest(int n) {
      return growth.ceiling(n);
    }

    @Override
    public Duration latest(int n) {
      return growth.ceiling(n).plus(spread);
    }

    @Override
    public Duration maxDelay() {
      return growth.cap().plus(spread);
    }

    @Override
    public Backoff scaled(double scale) {
      return new Additive(spread, growth.scaled(scale));
    }
  }

  /** The ceiling itself: jobs that failed together come back together. */
  record None(Growth growth) implements Backoff {
    @Override
    public Duration earliest(int n) {
      return growth.ceiling(n);
    }

    @Override
    public Duration latest(int n) {
      return growth.ceiling(n);
    }

    @Override
    public Duration maxDelay() {
      return growth.cap();
    }

    @Override
    public Backoff scaled(double scale) {
      return new None(growth.scaled(scale));
    }
  }

  /**
   * A whole number of slots, uniform in 0 … 2^min(n,{@value #MAX_EXPONENT}) − 1: the truncated
   * binary exponential backoff of IEEE 802.3, with a mean of (2^n − 1)/2 slots.
   *
   * @param slot PT0S to P3D, so that 1023 of them stay below ten years
   */
  record Slots(Duration slot) implements Backoff {
    static final int MAX_EXPONENT = 10;
    static final Duration MAX_SLOT = Duration.ofDays(3);

    public Slots {
      require(
          !slot.isNegative() && slot.compareTo(MAX_SLOT) <= 0,
          "slot",
          "must be between PT0S and P3D");
    }

    @Override
    public Duration earliest(int n) {
      require(n >= 1, "n", "must be 1 or more");
      return Duration.ZERO;
    }

    @Override
    public Duration latest(int n) {
      return slot.multipliedBy(choices(n) - 1L);
    }

    @Override
    public Duration maxDelay() {
      return latest(MAX_EXPONENT);
    }

    /** Scaled up, its delays pass the cap of the original: {@link RetryPolicy#draw} cuts them. */
    @Override
    public Backoff scaled(double scale) {
      return new Slots(Growth.times(slot, BigDecimal.valueOf(scale), MAX_SLOT));
    }

    @Override
    public Draw draw(int n) {
      int choices = choices(n);
      return (_, random) -> slot.multipliedBy(random.nextInt(choices));
    }

    private static int choices(int n) {
      require(n >= 1, "n", "must be 1 or more");
      return 1 << Math.min(n, MAX_EXPONENT);
    }
  }

  /**
   * The n-th step of a list, as contracts with merchants promise them; after the last, the last
   * again.
   *
   * @param steps 1 to {@value #MAX_STEPS} delays, PT0S to P3650D
   * @param proportion how much of a step jitter may take off, 0 to 1
   */
  record Steps(List<Duration> steps, double proportion) implements Backoff {
    static final int MAX_STEPS = 100;

    public Steps {
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
      return steps.stream().reduce(Duration.ZERO, Backoff::max);
    }

    @Override
    public Backoff scaled(double scale) {
      BigDecimal exact = BigDecimal.valueOf(scale);
      Duration cap = maxDelay();
      return new Steps(steps.stream().map(s -> Growth.times(s, exact, cap)).toList(), proportion);
    }
  }

  private static Duration uniform(Duration from, Duration to, RandomGenerator random) {
    long first = from.toNanos();
    long last = to.toNanos();
    return first == last ? from : Duration.ofNanos(random.nextLong(first, last + 1));
  }

  static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
