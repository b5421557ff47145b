package dev.ebb.db.stats;

import dev.ebb.core.stats.Histogram;
import dev.ebb.core.stats.Proportion;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads how the attempts of some destinations ended: for each, no more than the minutes of a day
 * and the days of a week.
 */
public final class DestinationStats {
  // A kind may have rows of its own. What found no place in the statistics is missing.
  private static final String ENDED =
      """
      with %s, clock as materialized (
        select
          date_bin('15 minutes', now(), 'epoch') - interval '1425 minutes' as first,
          date_trunc('minute', now(), 'UTC') - interval '59 minutes' as hour,
          date_trunc('day', now(), 'UTC') - interval '7 days' as week
      ), named as (
        select n.name collate "C" as name from unnest(?::text[]) as n (name)
      ), counted as materialized (
        select
          s.queue, s.step, s.at,
          s.completed + s.failed + s.throttled as attempts,
          s.failed + s.throttled as failed,
          s.run
        from named n
        cross join clock c
        cross join (values (1::smallint), (1440::smallint)) as of (step)
        cross join lateral (
          select *
          from ebb.stat s
          where s.step = of.step
            and s.queue = n.name
            and s.at >= case of.step when 1 then c.first else c.week end
        ) s
        union all
        select
          t.queue collate "C", of.step, date_trunc('minute', t.at, 'UTC'),
          sum(t.number)::bigint,
          coalesce(sum(t.number) filter (where t.counter in (4, 5)), 0)::bigint,
          coalesce(
            ebb.sum_buckets(ebb.buckets(t.bucket, t.number)) filter (where t.bucket >= 0), '{}')
        from ebb.tally t
        cross join (values (1::smallint), (1440::smallint)) as of (step)
        where (select r.yes from readable r)
          and t.counter in (3, 4, 5)
          and t.queue = any (?)
        group by 1, 2, 3
      ), quarters as (
        select
          q.queue,
          array_agg(q.place) as places,
          array_agg(q.attempts) as attempts,
          array_agg(q.failed) as failed
        from (
          select
            n.queue,
            floor(date_part('epoch', n.at - c.first) / 900)::bigint as place,
            sum(n.attempts)::bigint as attempts,
            sum(n.failed)::bigint as failed
          from counted n
          cross join clock c
          where n.step = 1
            and n.at >= c.first
            and n.at < c.first + interval '1 day'
          group by n.queue, place
        ) q
        group by q.queue
      ), spans as (
        select
          n.queue,
          coalesce(sum(n.attempts) filter (where n.step = 1 and n.at >= c.hour), 0) as lately,
          coalesce(sum(n.failed) filter (where n.step = 1 and n.at >= c.hour), 0) as failed_lately,
          coalesce(sum(n.attempts) filter (where n.step = 1440), 0) as usually,
          coalesce(sum(n.failed) filter (where n.step = 1440), 0) as failed_usually,
          ebb.sum_buckets(n.run) filter (where n.step = 1 and n.at >= c.hour) as run
        from counted n
        cross join clock c
        group by n.queue
      )
      select
        n.name, c.first,
        coalesce(s.lately, 0) as lately,
        coalesce(s.failed_lately, 0) as failed_lately,
        coalesce(s.usually, 0) as usually,
        coalesce(s.failed_usually, 0) as failed_usually,
        coalesce(s.run, '{}') as run,
        coalesce(q.places, '{}') as places,
        coalesce(q.attempts, '{}') as attempts,
        coalesce(q.failed, '{}') as failed
      from named n
      cross join clock c
      left join spans s on s.queue = n.name
      left join quarters q on q.queue = n.name
      """
          .formatted(StatReads.READABLE);

  private static final String ONE_MOMENT =
      """
      set transaction isolation level repeatable read, read only
      """;

  // Before the first statement takes the snapshot: a fold empties what it has summed up, and no
  // snapshot keeps it.
  private static final String NO_FOLD =
      """
      lock table ebb.tally in access share mode
      """;

  private final Database database;

  public DestinationStats(Database database) {
    this.database = database;
  }

  /** Those of the destinations. */
  public DestinationFigures of(Collection<String> destinations) throws SQLException {
    return database.inTransaction(connection -> figures(connection, destinations));
  }

  static DestinationFigures figures(Connection connection, Collection<String> destinations)
      throws SQLException {
    Statements.run(connection, ONE_MOMENT, _ -> {});
    Statements.run(connection, NO_FOLD, _ -> {});
    Overview overview = OverviewReads.of(connection, destinations);
    return new DestinationFigures(overview, ended(connection, destinations));
  }

  static Map<String, DestinationStat> ended(Connection connection, Collection<String> destinations)
      throws SQLException {
    Map<String, DestinationStat> stats = new HashMap<>();
    var _ =
        Statements.list(
            connection,
            ENDED,
            p -> p.texts(destinations).texts(destinations),
            row -> stats.put(row.getString("name"), stat(row)));
    return stats;
  }

  private static DestinationStat stat(ResultSet row) throws SQLException {
    return new DestinationStat(
        new Proportion(row.getLong("failed_lately"), row.getLong("lately")),
        new Proportion(row.getLong("failed_usually"), row.getLong("usually")),
        new Histogram(Stream.of(numbers(row, "run")).mapToLong(Long::longValue).toArray()),
        Rows.instant(row, "first"),
        quarters(numbers(row, "places"), numbers(row, "attempts"), numbers(row, "failed")));
  }

  private static Long[] numbers(ResultSet row, String column) throws SQLException {
    return (Long[]) row.getArray(column).getArray();
  }

  private static List<Proportion> quarters(Long[] places, Long[] attempts, Long[] failed) {
    List<Proportion> quarters =
        new ArrayList<>(Collections.nCopies(DestinationStat.QUARTERS, new Proportion(0, 0)));
    for (int i = 0; i < places.length; i++) {
      quarters.set(Math.toIntExact(places[i]), new Proportion(failed[i], attempts[i]));
    }
    return quarters;
  }
}
