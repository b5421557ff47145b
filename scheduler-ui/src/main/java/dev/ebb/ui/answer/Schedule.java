package dev.ebb.ui.answer;

import dev.ebb.contract.Policy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What comes for a job if every attempt fails at once.
 *
 * @param next {@code null} while an attempt runs
 */
public record Schedule(Policy policy, @Nullable Next next, List<Band> bands, Times givesUpAt) {

  /** The attempt whose start is drawn already. */
  public record Next(int attempt, Instant at) {}

  /** An attempt behind it, and the share of such jobs that reach it. */
  public record Band(int attempt, double chance, Instant p10, Instant p50, Instant p90) {
    public Times times() {
      return new Times(p10, p50, p90);
    }
  }

  /** By when one, five and nine such jobs in ten are there. */
  public record Times(Instant p10, Instant p50, Instant p90) {}
}
