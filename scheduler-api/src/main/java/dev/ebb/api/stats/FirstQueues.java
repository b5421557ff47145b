package dev.ebb.api.stats;

import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.OverviewReads;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the first queues stand. A page that shows them also asks what is wrong with them, and the
 * second question is answered from the reading for the first.
 */
public final class FirstQueues {
  /** How many queues these are. */
  static final int MOST = 200;

  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final OverviewReads overviews;
  private volatile @Nullable Reading shown;

  FirstQueues(OverviewReads overviews) {
    this.overviews = overviews;
  }

  private record Reading(Overview overview, long nanos) {
    private boolean isFresh() {
      return System.nanoTime() - nanos < FRESH_NANOS;
    }
  }

  /** How they stand now. */
  Overview read() throws SQLException {
    long begun = System.nanoTime();
    Overview overview = overviews.page("", MOST);
    shown = new Reading(overview, begun);
    return overview;
  }

  /** How they stand, or were shown to stand within the last second. */
  public Overview recent() throws SQLException {
    Reading last = shown;
    return last != null && last.isFresh() ? last.overview() : overviews.page("", MOST);
  }
}
