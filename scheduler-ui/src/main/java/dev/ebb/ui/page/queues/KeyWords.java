package dev.ebb.ui.page.queues;

import dev.ebb.contract.KeyShare;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The share of a signing key in words. */
public final class KeyWords {
  private static final int ALL = 100;

  private KeyWords() {}

  /** How many percent of the deliveries it is now, rounded down. */
  public static int percent(@Nullable KeyShare share, Instant now) {
    return share == null
        ? ALL
        : (int)
            new dev.ebb.core.signing.KeyShare(share.percent(), share.since(), share.wholeAt())
                .percent(now);
  }

  /** Such as "30 % of deliveries". */
  public static String share(KeyShare share, Instant now) {
    int percent = percent(share, now);
    return percent == ALL ? "all deliveries" : percent + " % of deliveries";
  }

  /** Whether it has an end that is to come. */
  public static boolean grows(KeyShare share, Instant now) {
    return share.wholeAt() != null && share.wholeAt().isAfter(now);
  }
}
