package dev.ebb.ui.svg;

import dev.ebb.core.limit.ComingPermits;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.util.function.DoublePredicate;

/**
 * What becomes of a backlog if jobs go on to become due as lately, and start as fast as the limiter
 * lets them.
 *
 * @param end how it ends
 * @param seconds until none waits; zero where none does, infinite where that never comes
 * @param most how many wait at a time until then; infinite where they only grow
 */
public record CatchUp(End end, double seconds, double most) {
  private static final int HALVINGS = 80;

  /** How a backlog ends. */
  public enum End {
    /** None waits, and the rate is above the demand. */
    KEEPS_UP,
    CAUGHT_UP,
    /** The demand is above the full rate, or so near that it takes years. */
    NEVER
  }

  /**
   * From now on.
   *
   * @param waiting jobs that are due
   * @param demand jobs a second that become due
   */
  public static CatchUp of(ComingPermits permits, double waiting, double demand) {
    if (waiting <= 0 && demand <= permits.rate(0)) {
      return new CatchUp(End.KEEPS_UP, 0, 0);
    }
    Backlog backlog = new Backlog(permits, waiting, demand);
    double late = 1;
    while (backlog.at(late) > 0 && late < ComingPermits.LONGEST_SECONDS) {
      late *= 2;
    }
    if (backlog.at(late) > 0 || demand >= permits.fullRate()) {
      return new CatchUp(End.NEVER, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    // The rate only rises, so the backlog grows first, if at all, and then shrinks.
    double peak = demand <= permits.rate(0) ? 0 : last(late, t -> permits.rate(t) < demand);
    double end = Math.max(peak, last(late, t -> t <= peak || backlog.at(t) > 0));
    return new CatchUp(End.CAUGHT_UP, end, Math.max(waiting, backlog.at(peak)));
  }

  private record Backlog(ComingPermits permits, double waiting, double demand) {
    double at(double seconds) {
      return waiting + demand * seconds - permits.permits(seconds);
    }
  }

  /** Up to when it holds, which it does from zero on. */
  private static double last(double end, DoublePredicate holds) {
    double yes = 0;
    double no = end;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (yes + no) / 2;
      if (holds.test(middle)) {
        yes = middle;
      } else {
        no = middle;
      }
    }
    return no;
  }

  /** What it means, in a sentence. */
  public String sentence() {
    return switch (end) {
      case KEEPS_UP -> "Keeps up: no job waits for a permit.";
      case CAUGHT_UP ->
          "Caught up in about "
              + words()
              + ", with up to "
              + Words.number(Math.round(Math.ceil(most)))
              + (Math.ceil(most) == 1 ? " job" : " jobs")
              + " waiting until then.";
      case NEVER -> "Will not catch up: jobs arrive as fast as the full rate.";
    };
  }

  /** How long until none waits. */
  public String words() {
    return Words.length(rounded());
  }

  /** To what matters of it. */
  private Duration rounded() {
    long whole = (long) Math.ceil(seconds);
    long unit = whole < 60 ? 1 : whole < 3_600 ? 10 : 60;
    return Duration.ofSeconds((whole + unit - 1) / unit * unit);
  }
}
