package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.view.DueChoice.DueRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How many jobs a search looks at, at most: its cost is bounded, not its yield. */
enum SearchDepth {
  /** A page of a list. */
  PAGE(5_000, 500),
  /** A count for somebody who looks. */
  COUNT(10_000, 2_000),
  /** A count for somebody who is about to act. */
  LARGE_COUNT(120_000, 20_000);

  /** Where each job costs a look at its attempts or its payload. */
  private static final int DEAR = 500;

  private final int jobs;
  private final int withTerm;

  /**
   * @param jobs that lie side by side, or whose live rows the claim index names
   * @param withTerm jobs that the index of terms names, each of which is looked up
   */
  SearchDepth(int jobs, int withTerm) {
    this.jobs = jobs;
    this.withTerm = withTerm;
  }

  /**
   * What a search of the filter looks at.
   *
   * @param after where the page before ended; {@code null} for the first
   */
  PageSql.Reach reach(Connection connection, JobFilter filter, JobOrder order, @Nullable UUID after)
      throws SQLException {
    Long term = TermChoice.of(connection, filter);
    DueRange due = term == null ? DueChoice.of(connection, filter) : null;
    int most = term == null ? jobs : withTerm;
    int scan = FilterSql.isDear(filter) ? DEAR : most;
    return new PageSql.Reach(filter, order, term, due, after, scan);
  }
}
