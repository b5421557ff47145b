package dev.ebb.core.circuit;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * The votes of about one window: those of its present half and of the half before.
 *
 * @param from when the present half began
 * @param good of the present half
 * @param bad of the present half
 * @param goodBefore of the half before
 * @param badBefore of the half before
 * @param failing the jobs of the bad ones since the last good one, however old
 */
public record Tally(
    Instant from, int good, int bad, int goodBefore, int badBefore, Set<UUID> failing) {
  public Tally {
    failing = Set.copyOf(failing);
  }

  static Tally none(Instant now) {
    return new Tally(now, 0, 0, 0, 0, Set.of());
  }

  /** The good ones of both halves. */
  public int allGood() {
    return good + goodBefore;
  }

  /** The bad ones of both halves. */
  public int allBad() {
    return bad + badBefore;
  }

  Tally at(Instant now, Duration window) {
    Duration half = window.dividedBy(2);
    if (now.isBefore(from) || !now.isBefore(from.plus(window))) {
      return new Tally(now, 0, 0, 0, 0, failing);
    }
    return now.isBefore(from.plus(half))
        ? this
        : new Tally(from.plus(half), 0, 0, good, bad, failing);
  }

  Tally plus(Ballot ballot) {
    return new Tally(
        from,
        good + ballot.good(),
        bad + ballot.bad(),
        goodBefore,
        badBefore,
        Ballot.failing(failing, ballot));
  }

  boolean trips(CircuitRule rule) {
    int all = allGood() + allBad();
    boolean byRatio = all >= rule.minVotes() && allBad() >= rule.failureRatio() * all;
    return byRatio || failing.size() >= rule.failuresInARow();
  }
}
