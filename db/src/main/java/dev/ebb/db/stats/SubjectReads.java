package dev.ebb.db.stats;

import dev.ebb.core.stats.Proportion;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads whose failing shares rise: the last ten minutes beside the fifty before, by subject or by
 * destination.
 */
public final class SubjectReads {
  /** Of more that rise, those that fail most are looked at. */
  private static final int MOST_RISING = 200;

  /** A job that is tried a few times is no trend, however rarely its subject has jobs. */
  private static final int LEAST_FAILED = 5;

  // The minute that is forming is the last of the ten. A share that has not risen is left out here,
  // by whole numbers, and whether it rose for sure is asked of what is left. The subject of the
  // others is the empty text, which no job has; a row without one says that nothing was counted.
  private static final String RISING =
      """
      with clock as materialized (
        select
          now() as now,
          date_trunc('minute', now(), 'UTC') - interval '59 minutes' as first,
          date_trunc('minute', now(), 'UTC') - interval '9 minutes' as recent,
          (select t.subject from ebb.settings t) as label
      ), %s, sums as (
        select
          n.subject,
          coalesce(sum(n.attempts) filter (where n.at < c.recent), 0) as attempts_before,
          coalesce(sum(n.failed) filter (where n.at < c.recent), 0) as failed_before,
          coalesce(sum(n.attempts) filter (where n.at >= c.recent), 0) as attempts_now,
          coalesce(sum(n.failed) filter (where n.at >= c.recent), 0) as failed_now
        from counted n
        cross join clock c
        group by n.subject
      ), rising as materialized (
        select *
        from sums s
        where s.subject = ''
          or (
            s.failed_now >= ?
            and s.failed_now * s.attempts_before > s.failed_before * s.attempts_now)
        order by s.subject <> '', s.failed_now desc, s.subject
        limit ?
      ), points as (
        select
          m.subject,
          array_agg((date_part('epoch', m.at) / 60)::bigint order by m.at) as minutes,
          array_agg(m.attempts order by m.at) as attempts,
          array_agg(m.failed order by m.at) as failed
        from (
          select
            n.subject, n.at, sum(n.attempts)::bigint as attempts, sum(n.failed)::bigint as failed
          from counted n
          join rising r on r.subject = n.subject
          group by n.subject, n.at
        ) m
        group by m.subject
      )
      select
        c.now, c.label, r.*, p.minutes, p.attempts, p.failed,
        (select coalesce(sum(s.attempts_before + s.attempts_now), 0)::bigint from sums s)
          as counted
      from clock c
      left join (rising r join points p using (subject)) on true
      """;

  private static final String BY_SUBJECT =
      RISING.formatted(
          """
          counted as materialized (
            select coalesce(u.subject, '') as subject, s.at, u.attempts, u.failed
            from ebb.subject_stat s
            cross join lateral unnest(s.subjects, s.attempts, s.failed)
              as u (subject, attempts, failed)
            where s.at >= (select c.first from clock c)
          )\
          """);

  // What found no place in the statistics is of no known destination, and no destination rises by
  // it. A minute has no more rows than the fold gives it places.
  private static final String BY_DESTINATION =
      RISING.formatted(
          StatReads.READABLE
              + """
              , counted as materialized (
                select
                  s.queue as subject, s.at,
                  s.completed + s.failed + s.throttled as attempts,
                  s.failed + s.throttled as failed
                from ebb.stat s
                join ebb.queue q on q.name = s.queue
                where s.step = 1
                  and s.at >= (select c.first from clock c)
                  and q.destination is not null
                union all
                select
                  t.queue collate "C", date_trunc('minute', t.at, 'UTC'),
                  sum(t.number), coalesce(sum(t.number) filter (where t.counter in (4, 5)), 0)
                from ebb.tally t
                join ebb.queue q on q.name = t.queue
                where (select r.yes from readable r)
                  and t.at >= (select c.first from clock c)
                  and t.counter in (3, 4, 5)
                  and q.destination is not null
                group by 1, 2
              )\
              """);

  private final Database database;

  public SubjectReads(Database database) {
    this.database = database;
  }

  /** A row, which has what all rows say alike; without a trend if nothing was counted. */
  private record Row(
      Instant now, @Nullable String label, long counted, @Nullable SubjectTrend trend) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(
          Rows.instant(row, "now"),
          row.getString("label"),
          row.getLong("counted"),
          row.getArray("minutes") == null ? null : trend(row));
    }

    private static SubjectTrend trend(ResultSet row) throws SQLException {
      String subject = row.getString("subject");
      return new SubjectTrend(
          subject.isEmpty() ? null : subject,
          new Proportion(row.getLong("failed_before"), row.getLong("attempts_before")),
          new Proportion(row.getLong("failed_now"), row.getLong("attempts_now")),
          SubjectTrend.points(
              numbers(row, "minutes"), numbers(row, "attempts"), numbers(row, "failed")));
    }

    private static Long[] numbers(ResultSet row, String column) throws SQLException {
      return (Long[]) row.getArray(column).getArray();
    }
  }

  /** The subjects whose failing share rose by most for sure, at most so many. */
  public SubjectTrends worsening(int limit) throws SQLException {
    return worsening(BY_SUBJECT, limit);
  }

  /** The destinations whose failing share rose by most for sure: some hundreds at most. */
  public List<SubjectTrend> worseDestinations() throws SQLException {
    return worsening(BY_DESTINATION, MOST_RISING).rising();
  }

  private SubjectTrends worsening(String statement, int limit) throws SQLException {
    List<Row> rows =
        database.inAutocommit(connection ->
            Statements.list(
                connection,
                statement,
                p -> p.integer(LEAST_FAILED).integer(MOST_RISING + 1),
                Row::of));
    List<SubjectTrend> rising = new ArrayList<>();
    SubjectTrend others = SubjectTrend.none();
    for (SubjectTrend trend : rows.stream().map(Row::trend).filter(Objects::nonNull).toList()) {
      if (trend.subject() == null) {
        others = trend;
      } else if (trend.riseAtLeast() > 0) {
        rising.add(trend);
      }
    }
    rising.sort(Comparator.comparingDouble(SubjectTrend::riseAtLeast).reversed());
    Row first = rows.getFirst();
    return new SubjectTrends(
        first.now(), first.label(), first.counted(), rising.stream().limit(limit).toList(), others);
  }
}
