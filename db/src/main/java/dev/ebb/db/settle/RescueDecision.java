package dev.ebb.db.settle;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import java.time.Instant;

/** Decides how a job that lost its worker is settled. */
@FunctionalInterface
public interface RescueDecision {
  /**
   * Decides about one job.
   *
   * @param now the database's clock
   */
  Settlement decide(ClaimedJob claimed, Outcome workerLost, Instant now);
}
