package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.Grants;
import java.util.List;

/**
 * What full demand would have been granted from cold, had it asked whenever something was claimed:
 * the curve as it is for processes that come and go and stall, while which the queue cools.
 */
final class FullDemand {
  private static final int MORE_THAN_THERE_ARE = 1_000;

  /**
   * A claim is noted a little after it looked at the clock, so that what was no idle time to it may
   * be some here; and a process may have no room for all that it may claim.
   */
  private static final double SHARE = 0.95;

  private FullDemand() {}

  /**
   * What was claimed until any of the claims is what full demand gets, but for 5 %: not more by a
   * burst of each process, and not less by the two that it may lose while it begins and ends.
   */
  static void assertClaimed(List<Grants.Granted> granted, int processes) {
    WarmUpLimiter limiter = new WarmUpLimiter(Ramp.LIMIT);
    LimiterState state = new LimiterState(1, granted.getFirst().at(), null);
    double bursts = Ramp.BURST * processes;
    double due = 0;
    double sum = 0;
    for (Grants.Granted grant : granted) {
      WarmUpLimiter.Grant full = limiter.take(state, grant.at(), MORE_THAN_THERE_ARE);
      state = full.state();
      due += full.permits();
      sum += grant.permits();
      assertThat(sum)
          .as("%.0f claimed until %s, of %.0f due", sum, grant.at(), due)
          .isBetween(SHARE * due - 2 * bursts, due / SHARE + bursts);
    }
    System.out.printf("%.0f claimed, %.3f of full demand%n", sum, sum / due);
  }
}
