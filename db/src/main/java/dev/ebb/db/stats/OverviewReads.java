package dev.ebb.db.stats;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads how the queues stand, a page at a time by their names, and what they did lately. */
public final class OverviewReads {
  static final String ALL = "*";

  // The queues that are known, that have settings, and that are too new to be known.
  private static final String FOLLOWING =
      """
      (select s.queue from ebb.stat_queue s
       where s.queue > ? and s.queue <> '*' order by s.queue limit ?)
      union
      (select q.name from ebb.queue q where q.name > ? order by q.name limit ?)
      union
      (select u.queue from unfolded u where u.queue > ? order by u.queue limit ?)
      """;

  private static final String DESTINATIONS =
      """
      select q.name as queue
      from ebb.queue q
      where q.destination is not null and q.name > ?
      order by q.name
      limit ?
      """;

  // Those with settings first: anybody can submit to any other name.
  private static final String BUSIEST_FIRST =
      """
      select n.queue
      from (
        select s.queue collate "C" as queue from ebb.stat_queue s where s.queue <> '*'
        union
        select q.name collate "C" from ebb.queue q
        union
        select u.queue collate "C" from unfolded u
      ) n
      left join ebb.stat_queue s on s.queue = n.queue
      left join unfolded u on u.queue = n.queue
      left join ebb.queue q on q.name = n.queue
      cross join lateral (select
        coalesce(s.jobs, 0) + coalesce(u.jobs, 0)
        + coalesce(s.dead_letters, 0) + coalesce(u.dead_letters, 0) as all
      ) has
      order by has.all = 0, q.name is null, has.all desc, n.queue
      limit ?
      """;

  // The row * is all of them. A job that is claimed does not wait. The claim index has the default
  // collation, and serves no comparison by another.
  private static final String STANDINGS =
      """
      with %1$s, unfolded as materialized (
        select
          t.queue,
          sum(ebb.jobs_added(t.counter, t.number)) as jobs,
          sum(ebb.dead_letters_added(t.counter, t.number)) as dead_letters
        from ebb.tally t
        where (select r.yes from readable r)
        group by t.queue
      ), leased as materialized (
        select l.queue, l.id, l.version from ebb.leased l
      ), in_flight as materialized (
        select l.queue, count(*) as jobs
        from leased l
        join ebb.job j on j.id = l.id and j.version = l.version
        group by l.queue
      ), names as (
        %2$s
      ), page as (
        (select n.queue collate "C" as queue from names n order by 1 limit ?)
        union all
        select '*'
      )
      select
        p.queue,
        coalesce(s.jobs, 0) + coalesce(u.jobs, 0) as jobs,
        coalesce(s.dead_letters, 0) + coalesce(u.dead_letters, 0) as dead_letters,
        coalesce(f.jobs, 0) as in_flight,
        (date_part('epoch', statement_timestamp() - d.run_at) * 1000000)::bigint as oldest_due,
        now() as now, r.yes, coalesce(case when not r.yes then r.folded_at end, now()) as as_of,
        (select e.exact_since from ebb.stat_state e) as exact_since
      from page p
      cross join readable r
      left join ebb.stat_queue s on s.queue = p.queue
      left join (
        select coalesce(queue, '*') as queue, sum(jobs) as jobs, sum(dead_letters) as dead_letters
        from unfolded
        group by grouping sets ((queue), ())
      ) u on u.queue = p.queue
      left join (
        select coalesce(queue, '*') as queue, sum(jobs)::bigint as jobs
        from in_flight
        group by grouping sets ((queue), ())
      ) f on f.queue = p.queue
      left join lateral (
        select min(first.run_at) as run_at
        from generate_series(0, 9) level
        cross join lateral (
          select j.run_at
          from ebb.job j
          where j.queue = p.queue collate "default"
            and j.priority = level::smallint
            and j.run_at <= statement_timestamp()
            and (j.id, j.version) not in (select l.id, l.version from leased l)
          order by j.run_at, j.id
          limit 1
        ) first
      ) d on true
      order by p.queue
      """;

  private static final String PAGE = STANDINGS.formatted(StatReads.READABLE, FOLLOWING);
  private static final String BUSIEST = STANDINGS.formatted(StatReads.READABLE, BUSIEST_FIRST);
  private static final String ADDRESSED = STANDINGS.formatted(StatReads.READABLE, DESTINATIONS);
  private static final String ONE = STANDINGS.formatted(StatReads.READABLE, "select ? as queue");

  private static final String NAMED =
      STANDINGS.formatted(StatReads.READABLE, "select unnest(?::text[]) as queue");

  private static final String RECENT =
      """
      with %1$s, unfolded as (
        select date_trunc('minute', t.at, 'UTC') as at, t.queue, t.counter, t.number
        from ebb.tally t
        where (select r.yes from readable r)
          and t.at >= date_trunc('minute', now(), 'UTC') - interval '15 minutes'
      ), found as (
        select s.queue, s.at, %2$s
        from ebb.stat s
        where s.step = 1
          and s.at >= date_trunc('minute', now(), 'UTC') - interval '15 minutes'
        union all
        select u.queue, u.at, %3$s
        from unfolded u
        group by u.queue, u.at
      )
      select
        coalesce(queue, '*') as queue,
        (date_part('epoch', date_trunc('minute', now(), 'UTC') - at) / 60)::integer as minutes_ago,
        %4$s
      from found
      group by grouping sets ((queue, at), (at))
      having grouping(queue) = 1 or queue = any (?)
      """
          .formatted(StatReads.READABLE, Counter.names("s"), Counter.columns(), Counter.sums());

  private final Database database;

  public OverviewReads(Database database) {
    this.database = database;
  }

  /** A row of the standings, and what all rows say alike. */
  private record QueueCounts(
      String queue,
      long jobs,
      long deadLetters,
      long inFlight,
      @Nullable Duration oldestDue,
      Instant now,
      Instant asOf,
      boolean complete,
      @Nullable Instant exactSince) {

    static QueueCounts of(ResultSet row) throws SQLException {
      Long oldest = row.getObject("oldest_due", Long.class);
      return new QueueCounts(
          row.getString("queue"),
          Math.max(0, row.getLong("jobs")),
          Math.max(0, row.getLong("dead_letters")),
          row.getLong("in_flight"),
          oldest == null ? null : Duration.of(oldest, ChronoUnit.MICROS),
          Rows.instant(row, "now"),
          Rows.instant(row, "as_of"),
          row.getBoolean("yes"),
          Rows.instantOrNull(row, "exact_since"));
    }

    QueueStat with(Map<String, QueueStat.LastMinutes> recent) {
      QueueStat.LastMinutes own = recent.getOrDefault(queue, new QueueStat.LastMinutes());
      return new QueueStat(queue, jobs, deadLetters, inFlight, oldestDue, own);
    }
  }

  /**
   * The queues whose names follow that one.
   *
   * @param after the empty string for the first page
   */
  public Overview page(String after, int limit) throws SQLException {
    return database.inAutocommit(connection -> page(connection, after, limit));
  }

  /** The same on a connection. */
  public static Overview page(Connection connection, String after, int limit) throws SQLException {
    int most = limit + 1;
    List<QueueCounts> found =
        Statements.list(
            connection,
            PAGE,
            p ->
                p.text(after)
                    .integer(most)
                    .text(after)
                    .integer(most)
                    .text(after)
                    .integer(most)
                    .integer(most),
            QueueCounts::of);
    return overview(connection, found, limit);
  }

  /**
   * The same of the destinations alone.
   *
   * @param after the empty string for the first page
   */
  public Overview destinations(String after, int limit) throws SQLException {
    int most = limit + 1;
    return database.inAutocommit(connection ->
        overview(
            connection,
            Statements.list(
                connection,
                ADDRESSED,
                p -> p.text(after).integer(most).integer(most),
                QueueCounts::of),
            limit));
  }

  /** The queues with the most jobs and dead letters, by name, and nothing of what they did. */
  public static Overview busiest(Connection connection, int most) throws SQLException {
    List<QueueCounts> found =
        Statements.list(connection, BUSIEST, p -> p.integer(most).integer(most), QueueCounts::of);
    return overview(found, most, Map.of());
  }

  /** That queue alone: with zeros if nothing is known of it. */
  public Overview one(String queue) throws SQLException {
    return database.inAutocommit(connection ->
        overview(
            connection,
            Statements.list(connection, ONE, p -> p.text(queue).integer(1), QueueCounts::of),
            1));
  }

  /** Those queues alone, by their names. */
  static Overview of(Connection connection, Collection<String> queues) throws SQLException {
    int most = queues.size();
    List<QueueCounts> found =
        Statements.list(connection, NAMED, p -> p.texts(queues).integer(most), QueueCounts::of);
    return overview(connection, found, most);
  }

  private static Overview overview(Connection connection, List<QueueCounts> found, int limit)
      throws SQLException {
    List<String> names =
        found.stream()
            .map(QueueCounts::queue)
            .filter(name -> !name.equals(ALL))
            .limit(limit)
            .toList();
    return overview(found, limit, recent(connection, names));
  }

  private static Overview overview(
      List<QueueCounts> found, int limit, Map<String, QueueStat.LastMinutes> recent) {
    List<QueueCounts> standings = new ArrayList<>(found);
    QueueCounts all =
        standings.stream().filter(one -> one.queue.equals(ALL)).findAny().orElseThrow();
    standings.remove(all);
    boolean more = standings.size() > limit;
    List<QueueCounts> shown = more ? standings.subList(0, limit) : standings;
    return new Overview(
        all.now,
        all.asOf,
        all.complete,
        all.exactSince,
        all.with(recent),
        shown.stream().map(one -> one.with(recent)).toList(),
        more ? shown.getLast().queue : null);
  }

  private static Map<String, QueueStat.LastMinutes> recent(
      Connection connection, List<String> queues) throws SQLException {
    Map<String, QueueStat.LastMinutes> recent = new HashMap<>();
    var _ = Statements.list(connection, RECENT, p -> p.texts(queues), row -> add(row, recent));
    return recent;
  }

  private static int add(ResultSet row, Map<String, QueueStat.LastMinutes> recent)
      throws SQLException {
    QueueStat.LastMinutes own =
        recent.computeIfAbsent(row.getString("queue"), _ -> new QueueStat.LastMinutes());
    int minutesAgo = row.getInt("minutes_ago");
    if (minutesAgo <= 1) {
      own.one().addCounters(row);
    }
    if (minutesAgo <= 5) {
      own.five().addCounters(row);
    }
    own.fifteen().addCounters(row);
    return 1;
  }
}
