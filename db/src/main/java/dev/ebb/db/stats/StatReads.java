package dev.ebb.db.stats;

import dev.ebb.core.InvalidInput;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was counted of a queue, step by step: what is folded, and in the same snapshot the
 * tallies that are not. If nobody has folded for long, these are too many to be read, and the
 * answer says so.
 */
public final class StatReads {
  /** Up to here tallies are read: about 400,000. */
  static final long MOST_TALLY_BYTES = 32 << 20;

  /** Steps of a queue, for all its kinds. */
  static final int MOST_ROWS = 20_000;

  /** Whether the tallies can be read, and when they were folded last; to follow {@code with}. */
  static final String READABLE =
      """
      readable as materialized (
        select
          sum(pg_relation_size(to_regclass('ebb.tally_' || part))) <= %s as yes,
          (select max(s.at) from ebb.stat s where s.step = 1) as folded_at
        from generate_series(0, 3) part
      )
      """
          .formatted(MOST_TALLY_BYTES);

  private static final String SERIES =
      """
      with %1$s, unfolded as (
        select
          date_bin(?::integer * interval '1 minute', t.at, 'epoch') as at, t.counter, t.bucket,
          sum(t.number)::bigint as number, sum(t.micros)::float8 as micros
        from ebb.tally t
        where (select r.yes from readable r)
          and t.queue = ?
          and t.at >= ?
          and t.at < ?
          and coalesce(t.kind = ?, true)
        group by 1, 2, 3
      ), found as (
        (
          select s.at, %2$s, s.wait_micros, s.run_micros, s.wait, s.run
          from ebb.stat s
          where s.step = ?
            and s.queue = ?
            and s.at >= ?
            and s.at < ?
            and coalesce(s.kind = ?, true)
          limit ?
        )
        union all
        select
          u.at, %3$s,
          coalesce(sum(micros) filter (where counter = 2), 0),
          coalesce(sum(micros) filter (where counter in (3, 4, 5)), 0),
          ebb.sum_buckets(ebb.buckets(bucket, number)) filter (where counter = 2 and bucket >= 0),
          ebb.sum_buckets(ebb.buckets(bucket, number))
            filter (where counter in (3, 4, 5) and bucket >= 0)
        from unfolded u
        group by u.at
      )
      select
        r.yes, coalesce(case when not r.yes then r.folded_at end, now()) as as_of,
        (select e.exact_since from ebb.stat_state e) as exact_since, f.*
      from readable r
      left join found f on true
      order by f.at
      """
          .formatted(READABLE, Counter.names("s"), Counter.columns());

  private final Database database;

  public StatReads(Database database) {
    this.database = database;
  }

  /**
   * What was counted of a queue.
   *
   * @param kind {@code null} for all of them together
   * @param step a length in minutes for which there are statistics: 1, 60, 1440
   * @param from the beginning of a step
   * @throws InvalidInput if there are more than {@value #MOST_ROWS} steps and kinds
   */
  public Series series(String queue, @Nullable String kind, int step, Instant from, Instant to)
      throws SQLException {
    return database.inAutocommit(connection ->
        series(
            connection,
            p -> {
              p.integer(step);
              bind(p, queue, kind, from, to);
              p.integer(step);
              bind(p, queue, kind, from, to).integer(MOST_ROWS + 1);
            }));
  }

  private static Parameters bind(
      Parameters parameters, String queue, @Nullable String kind, Instant from, Instant to)
      throws SQLException {
    return parameters.text(queue).time(from).time(to).text(kind);
  }

  private static Series series(Connection connection, Statements.Binding binding)
      throws SQLException {
    Map<Instant, Counts> points = new TreeMap<>();
    List<Series> head = new ArrayList<>();
    List<Integer> rows =
        Statements.list(connection, SERIES, binding, row -> add(row, head, points));
    InvalidInput.require(
        rows.size() <= MOST_ROWS, "from", "must cover fewer steps, or name a kind");
    Series first = head.getFirst();
    return new Series(
        first.asOf(),
        first.complete(),
        first.exactSince(),
        points.entrySet().stream()
            .map(point -> new Series.Point(point.getKey(), point.getValue()))
            .toList());
  }

  private static int add(ResultSet row, List<Series> head, Map<Instant, Counts> points)
      throws SQLException {
    if (head.isEmpty()) {
      head.add(
          new Series(
              Rows.instant(row, "as_of"),
              row.getBoolean("yes"),
              Rows.instantOrNull(row, "exact_since"),
              List.of()));
    }
    Instant at = Rows.instantOrNull(row, "at");
    if (at != null) {
      points.computeIfAbsent(at, _ -> new Counts()).addAll(row);
    }
    return 1;
  }
}
