package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.view.DueChoice.DueRange;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a page looks at, in SQL: a bounded number of jobs in the order of their ids, from either end
 * on, all of them, those that have a term, or those that are due in a time.
 *
 * <pre>
 *   scanned   the jobs themselves
 *   reach     how many the page looked at, and the last of them: the next page goes on there
 * </pre>
 */
final class PageSql {
  private static final UUID LEAST_ID = new UUID(0, 0);
  private static final UUID GREATEST_ID = new UUID(-1, -1);

  /** By how much the clock that made an id may be off the database's. */
  private static final Duration CLOCKS = Duration.ofHours(1);

  /** The same for an age: a search for what is ten minutes old must not begin at the newest. */
  private static final Duration NOW = Duration.ofMinutes(2);

  private static final String SCANNED =
      """
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
            and h.ended_at >= ? and h.ended_at < ?
          order by h.id %4$s
          limit ?
        )
        order by id %4$s
        limit ?
      ), reach as (
        select n.scanned, s.id as farthest, s.created_at as farthest_created
        from (select count(*)::integer as scanned from scanned) n
        left join (select id, created_at from scanned order by id %5$s limit 1) s on true
      )
      """;

  // A term may be there twice, and its job may be gone.
  private static final String WITH_TERM =
      """
      , named as materialized (
        select distinct t.id
        from ebb.every_term t
        where t.term = ? and t.id < ? and t.id >= ?
        order by t.id %4$s
        limit ?
      ), scanned as materialized (
        %1$s
        from named n
        join ebb.job j on j.id = n.id
        where ?
        union all
        %2$s
        from named n
        join ebb.dead_letter d on d.id = n.id
        where ?
        union all
        %3$s
        from named n
        -- No job ended before it was made; the clock that its id tells may be off by a day.
        cross join lateral (
          select * from ebb.every_history e
          where e.id = n.id and e.ended_at >= ebb.made_at(n.id) - interval '1 day'
        ) h
        where ?
          and h.ended_at >= ? and h.ended_at < ?
      ), reach as (
        select n.scanned, s.id as farthest, ebb.made_at(s.id) as farthest_created
        from (select count(*)::integer as scanned from named) n
        left join (select id from named order by id %5$s limit 1) s on true
      )
      """;

  // Of the jobs that are due, twice as many as there were: more may have come since.
  private static final String DUE =
      """
      , named as materialized (
        select d.id
        from unnest(?::text[]) q (name)
        cross join lateral (
          select j.id
          from ebb.job j
          where j.queue = q.name
            and j.run_at >= coalesce(?::timestamptz, '-infinity')
            and j.run_at < coalesce(?::timestamptz, 'infinity')
            and j.id < ? and j.id >= ?
          order by j.priority, j.run_at
          limit ?
        ) d
        order by d.id %4$s
        limit ?
      ), scanned as materialized (
        %1$s
        from named n
        join ebb.job j on j.id = n.id
      ), reach as (
        select n.scanned, s.id as farthest, ebb.made_at(s.id) as farthest_created
        from (select count(*)::integer as scanned from named) n
        left join (select id from named order by id %5$s limit 1) s on true
      )
      """;

  private static final Instant EVER = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant NEVER = Instant.parse("9999-12-31T00:00:00Z");

  private static final Map<JobOrder, String> ALL = byOrder(SCANNED);
  private static final Map<JobOrder, String> OF_TERM = byOrder(WITH_TERM);
  private static final Map<JobOrder, String> OF_DUE = byOrder(DUE);

  /**
   * A page that is to be read.
   *
   * @param term that its jobs have; {@code null} for any
   * @param due when its jobs are due, if that finds them; {@code null} otherwise
   * @param after where the page before ended; {@code null} for the first
   * @param scan how many jobs it looks at, at most
   */
  record Reach(
      JobFilter filter,
      JobOrder order,
      @Nullable Long term,
      @Nullable DueRange due,
      @Nullable UUID after,
      int scan) {}

  private PageSql() {}

  private static Map<JobOrder, String> byOrder(String sql) {
    return Map.of(
        JobOrder.NEWEST, inOrder(sql, "desc", "asc"), JobOrder.OLDEST, inOrder(sql, "asc", "desc"));
  }

  private static String inOrder(String sql, String order, String reverse) {
    return FilterSql.WANTED
        + sql.formatted(FilterSql.LIVE, FilterSql.DEAD, FilterSql.ENDED, order, reverse)
        + FilterSql.PICKED.formatted(order);
  }

  /** The common table expressions of a page; its statement goes on behind them. */
  static String of(Reach asked) {
    Map<JobOrder, String> others = asked.due() == null ? ALL : OF_DUE;
    return "with " + (asked.term() == null ? others : OF_TERM).get(asked.order());
  }

  /** Gives them their parameters, but for the number of jobs that are picked at most. */
  static void bind(Parameters parameters, Reach asked) throws SQLException {
    JobFilter filter = asked.filter();
    FilterSql.bindWanted(parameters, filter);
    UUID below = below(filter, asked.order() == JobOrder.NEWEST ? asked.after() : null);
    UUID from = from(filter, asked.order() == JobOrder.OLDEST ? asked.after() : null);
    if (asked.due() != null) {
      bindDue(parameters, asked.due());
      parameters.id(below).id(from).integer(2 * DueChoice.MANY).integer(asked.scan());
      parameters.flag(filter.payload() != null);
    } else if (asked.term() == null) {
      bindAll(parameters, filter, below, from, asked.scan());
    } else {
      parameters.bigint(asked.term()).id(below).id(from).integer(asked.scan());
      parameters.flag(filter.payload() != null).flag(FilterSql.wantsLive(filter));
      FilterSql.bindDead(parameters, filter);
      parameters.flag(FilterSql.wantsDead(filter)).flag(FilterSql.wantsEnded(filter));
      bindEnded(parameters, filter);
    }
  }

  private static void bindAll(
      Parameters parameters, JobFilter filter, UUID below, UUID from, int scan)
      throws SQLException {
    parameters.flag(filter.payload() != null).flag(FilterSql.wantsLive(filter));
    parameters.id(below).id(from).integer(scan);
    FilterSql.bindDead(parameters, filter);
    parameters.flag(FilterSql.wantsDead(filter)).id(below).id(from).integer(scan);
    parameters.flag(FilterSql.wantsEnded(filter)).id(below).id(from);
    bindEnded(parameters, filter);
    parameters.integer(scan).integer(scan);
  }

  private static void bindDue(Parameters parameters, DueRange due) throws SQLException {
    parameters.texts(due.queues()).time(due.from()).time(due.before());
  }

  /** Spares the days beyond. */
  private static void bindEnded(Parameters parameters, JobFilter filter) throws SQLException {
    JobFilter.Period ended = filter.ended().fixed(Instant.now());
    Instant from = ended.from();
    Instant before = ended.before();
    parameters.time(from == null ? EVER : from.minus(CLOCKS));
    parameters.time(before == null ? NEVER : before.plus(CLOCKS));
  }

  /**
   * An id begins with the time at which it was made: a time spares the rows beyond it. No job ended
   * before it was made.
   */
  private static UUID below(JobFilter filter, @Nullable UUID before) {
    UUID bound = before == null ? GREATEST_ID : before;
    bound = least(bound, filter.created().before(), CLOCKS);
    bound = least(bound, ago(filter.created().leastAge()), NOW);
    bound = least(bound, filter.ended().before(), CLOCKS);
    return least(bound, ago(filter.ended().leastAge()), NOW);
  }

  private static UUID least(UUID bound, @Nullable Instant time, Duration clocks) {
    UUID latest = time == null ? GREATEST_ID : idAt(time.plus(clocks));
    return isLess(latest, bound) ? latest : bound;
  }

  private static UUID from(JobFilter filter, @Nullable UUID after) {
    UUID bound = after == null ? LEAST_ID : next(after);
    bound = greatest(bound, filter.created().from(), CLOCKS);
    return greatest(bound, ago(filter.created().mostAge()), NOW);
  }

  private static UUID greatest(UUID bound, @Nullable Instant time, Duration clocks) {
    UUID earliest = time == null ? LEAST_ID : idAt(time.minus(clocks));
    return isLess(bound, earliest) ? earliest : bound;
  }

  private static @Nullable Instant ago(@Nullable Duration age) {
    return age == null ? null : Instant.now().minus(age);
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
