package dev.ebb.db.stats;

import dev.ebb.core.stats.Histogram;
import dev.ebb.core.stats.Proportion;
import java.time.Instant;
import java.util.List;

/**
 * How the attempts of a destination ended.
 *
 * @param lately those that failed in the last hour
 * @param usually those since the day began (UTC) seven days ago
 * @param runs how long those of the last hour ran
 * @param from when the first quarter begins
 * @param quarters those that failed in each quarter of an hour of the last day, oldest first
 */
public record DestinationStat(
    Proportion lately,
    Proportion usually,
    Histogram runs,
    Instant from,
    List<Proportion> quarters) {
  /** How many quarters of an hour there are: a day's, the last of which is not over. */
  public static final int QUARTERS = 96;
}
