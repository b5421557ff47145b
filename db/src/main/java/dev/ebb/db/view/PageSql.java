package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.connection.Parameters;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a page looks at, in SQL: a bounded number of jobs, by id alone, from either end on. */
final class PageSql {
  /** The newest jobs below an id; stands behind {@link FilterSql#WANTED}. */
  static final String NEWEST = scanned("desc");

  /** The oldest jobs above an id. */
  static final String OLDEST = scanned("asc");

  private static final UUID LEAST_ID = new UUID(0, 0);
  private static final UUID GREATEST_ID = new UUID(-1, -1);

  /** By how much the clock that made an id may be off the database's. */
  private static final Duration CLOCKS = Duration.ofHours(1);

  private PageSql() {}

  private static String scanned(String order) {
    return """
    , scanned as materialized (
      (
        %1$s
        from ebb.job j
        where ? and j.id < ? and j.id >= ?
        order by j.id %4$s
        limit ?
      )
      union all
      (
        %2$s
        from ebb.dead_letter d
        where ? and d.id < ? and d.id >= ?
        order by d.id %4$s
        limit ?
      )
      union all
      (
        %3$s
        from ebb.every_history h
        where ? and h.id < ? and h.id >= ?
        order by h.id %4$s
        limit ?
      )
      order by id %4$s
      limit ?
    )
    """
        .formatted(FilterSql.LIVE, FilterSql.DEAD, FilterSql.ENDED, order);
  }

  /** Gives {@link FilterSql#WANTED} and {@link #NEWEST} their parameters. */
  static void bindNewest(Parameters parameters, JobFilter filter, @Nullable UUID before, int scan)
      throws SQLException {
    bind(parameters, filter, JobOrder.NEWEST, before, scan);
  }

  /**
   * Gives {@link FilterSql#WANTED} and what is scanned in that order their parameters.
   *
   * @param after where the page before ended; {@code null} for the first
   */
  static void bind(
      Parameters parameters, JobFilter filter, JobOrder order, @Nullable UUID after, int scan)
      throws SQLException {
    FilterSql.bindWanted(parameters, filter);
    UUID below = below(filter, order == JobOrder.NEWEST ? after : null);
    UUID from = from(filter, order == JobOrder.OLDEST ? after : null);
    boolean payload = filter.payload() != null;
    parameters.flag(payload).flag(FilterSql.wantsLive(filter));
    parameters.id(below).id(from).integer(scan);
    FilterSql.bindDead(parameters, filter);
    parameters.flag(FilterSql.wantsDead(filter)).id(below).id(from).integer(scan);
    parameters.flag(FilterSql.wantsEnded(filter)).id(below).id(from).integer(scan);
    parameters.integer(scan);
  }

  /** An id begins with the time at which it was made: a time spares the rows beyond it. */
  private static UUID below(JobFilter filter, @Nullable UUID before) {
    Instant time = filter.created().before();
    UUID cursor = before == null ? GREATEST_ID : before;
    UUID latest = time == null ? GREATEST_ID : idAt(time.plus(CLOCKS));
    return isLess(latest, cursor) ? latest : cursor;
  }

  private static UUID from(JobFilter filter, @Nullable UUID after) {
    Instant time = filter.created().from();
    UUID cursor = after == null ? LEAST_ID : next(after);
    UUID earliest = time == null ? LEAST_ID : idAt(time.minus(CLOCKS));
    return isLess(cursor, earliest) ? earliest : cursor;
  }

  private static UUID idAt(Instant time) {
    return new UUID(time.toEpochMilli() << 16, 0);
  }

  /** The id that follows; none follows the greatest, below which every page looks. */
  private static UUID next(UUID id) {
    long low = id.getLeastSignificantBits() + 1;
    long high = id.getMostSignificantBits() + (low == 0 ? 1 : 0);
    return low == 0 && high == 0 ? id : new UUID(high, low);
  }

  private static boolean isLess(UUID a, UUID b) {
    int first = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return first == 0
        ? Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits()) < 0
        : first < 0;
  }
}
