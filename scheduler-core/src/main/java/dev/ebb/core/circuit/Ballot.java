package dev.ebb.core.circuit;

import static dev.ebb.core.InvalidInput.require;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The votes of some attempts that were claimed in one epoch of a circuit.
 *
 * @param good how many
 * @param bad how many
 * @param neutral how many called the destination and say nothing of it
 * @param gone how many were told that there is no such destination any more
 * @param failing the jobs of the bad ones after the last good one, some {@value #MOST_FAILING}
 * @param reason of the last bad one, or that it is gone; {@code null} if there is none
 */
public record Ballot(
    long epoch,
    int good,
    int bad,
    int neutral,
    int gone,
    Set<UUID> failing,
    @Nullable String reason) {
  static final int MOST_FAILING = 100;

  public Ballot {
    require(good >= 0 && bad >= 0 && neutral >= 0, "votes", "must not be negative");
    failing = Set.copyOf(failing);
  }

  /** One without votes. */
  public static Ballot none(long epoch) {
    return new Ballot(epoch, 0, 0, 0, 0, Set.of(), null);
  }

  /** That of one attempt. */
  public static Ballot of(long epoch, Vote vote, UUID job, @Nullable String reason) {
    return switch (vote) {
      case GOOD -> new Ballot(epoch, 1, 0, 0, 0, Set.of(), null);
      case BAD -> new Ballot(epoch, 0, 1, 0, 0, Set.of(job), reason);
      case NEUTRAL -> new Ballot(epoch, 0, 0, 1, 0, Set.of(), null);
      case GONE -> new Ballot(epoch, 0, 0, 0, 1, Set.of(), reason);
      case NONE -> none(epoch);
    };
  }

  /** Together with later ones of the same epoch. */
  public Ballot plus(Ballot later) {
    return new Ballot(
        epoch,
        good + later.good,
        bad + later.bad,
        neutral + later.neutral,
        gone + later.gone,
        failing(failing, later),
        later.reason == null ? reason : later.reason);
  }

  /** The jobs that fail after both, of which the first are from before the ballot. */
  static Set<UUID> failing(Set<UUID> before, Ballot ballot) {
    Set<UUID> all = new LinkedHashSet<>(ballot.failing);
    if (ballot.good == 0) {
      all.addAll(before);
    }
    while (all.size() > MOST_FAILING) {
      all.remove(all.iterator().next());
    }
    return Set.copyOf(all);
  }
}
