package dev.ebb.core.circuit;

import static dev.ebb.core.InvalidInput.require;

import org.jspecify.annotations.Nullable;

/**
 * The votes of some attempts that were claimed in one epoch of a circuit.
 *
 * @param good how many
 * @param bad how many
 * @param badInARow how many of the bad ones, of different jobs, came after the last good one
 * @param reason of the last bad one; {@code null} if there is none
 */
public record Ballot(long epoch, int good, int bad, int badInARow, @Nullable String reason) {
  public Ballot {
    require(good >= 0 && bad >= 0, "votes", "must not be negative");
    require(badInARow >= 0 && badInARow <= bad, "badInARow", "must be 0 to the bad votes");
  }

  /** That of one attempt. */
  public static Ballot of(long epoch, Vote vote, @Nullable String reason) {
    int bad = vote == Vote.BAD ? 1 : 0;
    return new Ballot(epoch, vote == Vote.GOOD ? 1 : 0, bad, bad, bad == 0 ? null : reason);
  }

  /**
   * Together with later ones of the same epoch.
   *
   * @param again whether the first bad one of them is of the same job as the last of these
   */
  public Ballot plus(Ballot later, boolean again) {
    int row = later.badInARow - (again && later.badInARow > 0 && badInARow > 0 ? 1 : 0);
    return new Ballot(
        epoch,
        good + later.good,
        bad + later.bad,
        later.good > 0 ? row : badInARow + row,
        later.reason == null ? reason : later.reason);
  }
}
