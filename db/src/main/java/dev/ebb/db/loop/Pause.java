package dev.ebb.db.loop;

import dev.ebb.core.retry.Growth;
import java.time.Duration;

/**
 * A pause before something is tried again; each next one is twice as long, up to the longest.
 *
 * @param failures in a row, from 1
 */
public record Pause(int failures, long untilNanos) {
  public static final Duration SHORTEST = Duration.ofMillis(100);
  public static final Duration LONGEST = Duration.ofSeconds(2);

  private static final Growth GROWTH = new Growth(SHORTEST, 2, LONGEST);

  /** The pause after a first failure. */
  public static Pause first() {
    return after(1);
  }

  /** How long to pause after this many failures in a row. */
  public static Duration length(int failures) {
    return GROWTH.ceiling(failures);
  }

  /** The pause after this many failures in a row; it begins now. */
  public static Pause after(int failures) {
    return new Pause(failures, System.nanoTime() + length(failures).toNanos());
  }

  /** The pause after one more failure. */
  public Pause next() {
    return after(failures + 1);
  }

  /** How much of it is left; zero or less once it is over. */
  public long leftNanos() {
    return untilNanos - System.nanoTime();
  }
}
