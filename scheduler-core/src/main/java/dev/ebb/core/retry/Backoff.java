package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireDuration;

import dev.ebb.core.Durations;
import java.math.BigDecimal;
import java.time.Duration;
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
public sealed interface Backoff
    permits Backoff.Growing, Backoff.Decorrelated, SlotBackoff, ListBackoff {

  /** A delay's distribution after a given number of failures. */
  @FunctionalInterface
  interface Draw {
    /** Draws a delay; only decorrelated jitter looks at the one before it, zero at first. */
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

  /** A backoff along a growth: at its ceiling, but for what the jitter takes off or puts on. */
  sealed interface Growing extends Backoff permits Full, Equal, Additive, None {
    Growth growth();

    @Override
    default Duration earliest(int n) {
      return growth().ceiling(n);
    }

    @Override
    default Duration latest(int n) {
      return growth().ceiling(n);
    }

    @Override
    default Duration maxDelay() {
      return growth().cap();
    }
  }

  /**
   * Uniform between floor and ceiling: the fewest collisions, and on average half the ceiling.
   *
   * @param floor the shortest delay, PT0S to the cap; a ceiling below it gives way to it
   */
  record Full(Duration floor, Growth growth) implements Growing {
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
      return Durations.max(floor, growth.ceiling(n));
    }

    @Override
    public Backoff scaled(double scale) {
      return new Full(floor, growth.scaled(scale));
    }
  }

  /** Half the ceiling for certain, the other half uniform: never at once. */
  record Equal(Growth growth) implements Growing {
    @Override
    public Duration earliest(int n) {
      return growth.ceiling(n).dividedBy(2);
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
      return Durations.min(cap, previous.multipliedBy(GROWTH));
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
        Duration counted = Durations.max(base, Durations.min(cap, previous));
        return Durations.min(cap, uniform(base, counted.multipliedBy(GROWTH), random));
      };
    }
  }

  /**
   * The ceiling and something on top, which may lie beyond the cap.
   *
   * @param spread the most that is put on top, PT0S to P3650D
   */
  record Additive(Duration spread, Growth growth) implements Growing {
    public Additive {
      requireDuration(spread, "spread");
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
  record None(Growth growth) implements Growing {
    @Override
    public Backoff scaled(double scale) {
      return new None(growth.scaled(scale));
    }
  }

  private static Duration uniform(Duration from, Duration to, RandomGenerator random) {
    long first = from.toNanos();
    long last = to.toNanos();
    return first == last ? from : Duration.ofNanos(random.nextLong(first, last + 1));
  }
}
