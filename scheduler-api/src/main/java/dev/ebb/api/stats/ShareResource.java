package dev.ebb.api.stats;

import dev.ebb.contract.FailingShare;
import dev.ebb.core.stats.Proportion;

/** Shows shares. */
public final class ShareResource {
  private static final double PRECISION = 10_000;

  private ShareResource() {}

  /** How many attempts failed; without a share of none. */
  public static FailingShare of(Proportion failed) {
    return new FailingShare(
        failed.whole(),
        failed.part(),
        failed.whole() == 0 ? null : rounded((double) failed.part() / failed.whole()));
  }

  /** A share to four places. */
  public static double rounded(double share) {
    return Math.round(share * PRECISION) / PRECISION;
  }
}
