package dev.ebb.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A time as sentences have it: to the second. */
public final class Moment {
  private Moment() {}

  /** Such as {@code 2027-01-31T08:00:00Z}; {@code never} for none. */
  public static String words(@Nullable Instant time) {
    return time == null ? "never" : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
