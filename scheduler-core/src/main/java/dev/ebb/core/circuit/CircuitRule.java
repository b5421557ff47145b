package dev.ebb.core.circuit;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;

/**
 * When a destination's circuit opens and closes.
 *
 * @param enabled false for a destination whose jobs never wait for it
 * @param failureRatio of the votes of the window, from which on it opens, 0.05 to 1
 * @param minVotes fewer votes in the window open it by their ratio never, 1 to 10,000
 * @param failuresInARow so many failures of different jobs without a success open it, too: where
 *     traffic is thin; 1 to 100
 * @param window how far back votes count, PT10S to PT1H
 * @param openFor how long it stays open before a probe, the first time; PT1S to PT1H. Doubled with
 *     every probe that fails
 * @param longestOpen the longest time between two probes, openFor to P1D; a {@code Retry-After}
 *     holds the destination no longer either
 * @param disableAfter one that fails for so long is disabled: its jobs are kept, and probes are
 *     rare; PT1H to P365D
 * @param probesToClose so many probes must succeed, one after the other, to close it; 1 to 100
 */
public record CircuitRule(
    boolean enabled,
    double failureRatio,
    int minVotes,
    int failuresInARow,
    Duration window,
    Duration openFor,
    Duration longestOpen,
    Duration disableAfter,
    int probesToClose) {
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(10);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(365);

  public static final CircuitRule DEFAULT =
      new CircuitRule(
          true,
          0.5,
          20,
          5,
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMinutes(15),
          Duration.ofDays(5),
          3);

  public CircuitRule {
    require(
        failureRatio >= 0.05 && failureRatio <= 1, "failureRatio", "must be between 0.05 and 1");
    requireBetween(minVotes, 1, 10_000, "minVotes");
    requireBetween(failuresInARow, 1, Ballot.MOST_FAILING, "failuresInARow");
    requireBetween(window, SHORTEST_WINDOW, HOUR, "window");
    requireBetween(openFor, SECOND, HOUR, "openFor");
    requireBetween(longestOpen, openFor, DAY, "longestOpen");
    requireBetween(disableAfter, HOUR, YEAR, "disableAfter");
    requireBetween(probesToClose, 1, 100, "probesToClose");
  }
}
