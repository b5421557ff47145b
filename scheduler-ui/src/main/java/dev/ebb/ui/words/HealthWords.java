package dev.ebb.ui.words;

import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.FailingShare;

/** How a destination does, as people read it; what is not known is said, and is no number. */
public final class HealthWords {
  private static final String UNKNOWN = "unknown";

  private HealthWords() {}

  /** The share of the attempts that succeeded; never a whole where one failed. */
  public static String succeeded(FailingShare failing) {
    if (failing.share() == null) {
      return UNKNOWN;
    }
    double succeeded = 1 - failing.share();
    boolean looksWhole = failing.failed() > 0 && Words.percent(succeeded).equals("100 %");
    return looksWhole ? "> 99.9 %" : Words.percent(succeeded);
  }

  /** How long 19 of 20 attempts took, at most. */
  public static String p95(DestinationHealth health) {
    return health.p95() == null ? UNKNOWN : "~" + Words.length(health.p95());
  }
}
