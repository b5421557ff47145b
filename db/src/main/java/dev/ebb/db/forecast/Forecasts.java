package dev.ebb.db.forecast;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts which jobs become due: exactly from the claim index, up to a budget of rows; beyond it
 * by a sample of the jobs' blocks.
 *
 * <p>A job that runs is left out: its next attempt is not stored yet. A held job counts when its
 * hold ends, and one that is held without an end does not count. Of a paused queue, a forecast of
 * all has what is due already, and not what becomes due.
 */
public final class Forecasts {
  /** How many jobs are looked at exactly, at most: of those that are due, and of the others. */
  static final int BUDGET = 10_000;

  /** How many queues are, at most. */
  static final int MOST_QUEUES = 500;

  /** How many paused queues are named, at most. */
  static final int NAMED = 100;

  /** A job {@code j} by the minute in which it becomes due, and by the attempt it will start. */
  private static final String CELL =
      """
      case
        when j.run_at <= now() then -1
        else least(59, floor(extract(epoch from j.run_at - now()) / 60))::integer
      end as minute,
      least(j.attempt + 1, 10) as attempt
      """;

  private static final String IS_PAUSED =
      "(s.paused and coalesce(s.paused_until > statement_timestamp(), true)) is true";

  private static final String RUNNING =
      """
      running as materialized (
        select l.id, l.version from ebb.leased l
      )
      """;

  /** Of the jobs {@code overdue} and {@code coming}, whose numbers tell whether they are all. */
  private static final String COUNTED =
      """
      , cells as (
        select %1$s, count(*) as jobs
        from (select * from overdue union all select * from coming) j
        where (j.id, j.version) not in (select id, version from running)
        group by 1, 2
      )
      select now() as as_of, l.overdue, l.coming, l.steps, c.minute, c.attempt, c.jobs
      from (
        select
          (select count(*) from overdue) as overdue, (select count(*) from coming) as coming,
          (select coalesce(max(steps), 0) from q) as steps
      ) l
      left join cells c on true
      """
          .formatted(CELL);

  private static final String OF_ONE =
      "with "
          + RUNNING
          + """
          , q as (
            select 0 as steps
          ), overdue as materialized (
            select j.id, j.version, j.run_at, j.attempt
            from ebb.job j
            where j.queue = ? and j.run_at <= now()
            limit ?
          ), coming as materialized (
            select j.id, j.version, j.run_at, j.attempt
            from ebb.job j
            where j.queue = ? and j.run_at > now() and j.run_at < now() + interval '60 minutes'
            limit ?
          )
          """
          + COUNTED;

  // Steps from queue to queue along the claim index, as the search for work does.
  private static final String OF_ALL =
      "with recursive "
          + RUNNING
          + """
          , q (name, steps) as (
            (select j.queue, 1 from ebb.job j order by j.queue limit 1)
            union all
            select
              (select j.queue from ebb.job j where j.queue > q.name order by j.queue limit 1),
              q.steps + 1
            from q
            where q.name is not null and q.steps < ?
          ), overdue as materialized (
            select d.*
            from q
            cross join lateral (
              select j.id, j.version, j.run_at, j.attempt
              from ebb.job j
              where j.queue = q.name and j.run_at <= now()
              limit ?
            ) d
            where q.name is not null
            limit ?
          ), coming as materialized (
            select d.*
            from q
            left join ebb.queue s on s.name = q.name
            cross join lateral (
              select j.id, j.version, j.run_at, j.attempt
              from ebb.job j
              where j.queue = q.name
                and j.run_at > now() and j.run_at < now() + interval '60 minutes'
              limit ?
            ) d
            where q.name is not null and not %1$s
            limit ?
          )
          """
              .formatted(IS_PAUSED)
          + COUNTED;

  private static final String SAMPLE =
      "with "
          + RUNNING
          + """
          , paused as materialized (
            select s.name from ebb.queue s where %2$s
          )
          select %1$s, count(*) as jobs
          from ebb.job j tablesample system (?::real)
          where j.run_at < now() + interval '60 minutes'
            and case when ?::text is null
              then j.run_at <= now() or j.queue not in (select name from paused)
              else j.queue = ?
            end
            and (j.id, j.version) not in (select id, version from running)
          group by 1, 2
          """
              .formatted(CELL, IS_PAUSED);

  private static final String QUEUE =
      """
      select %1$s as paused
      from ebb.queue s
      where s.name = ?
      """
          .formatted(IS_PAUSED);

  private static final String PAUSED =
      """
      select s.name
      from ebb.queue s
      where %1$s
      order by s.name
      limit ?
      """
          .formatted(IS_PAUSED);

  /** A row of what was looked at: the cell is {@code null} where no job was. */
  private record Row(
      Instant asOf, long overdue, long coming, int steps, Forecast.@Nullable Cell cell) {
    boolean hasAllOverdue() {
      return isAll(overdue);
    }

    boolean hasAllComing() {
      return isAll(coming);
    }

    private boolean isAll(long looked) {
      return looked <= BUDGET && steps < MOST_QUEUES;
    }

    /** Whether the cell is of jobs that were all looked at. */
    boolean hasAll(Forecast.Cell one) {
      return one.minute() == Forecast.OVERDUE ? hasAllOverdue() : hasAllComing();
    }
  }

  private final Database database;

  public Forecasts(Database database) {
    this.database = database;
  }

  /** The forecast of the queue; {@code null} for that of all. */
  public Forecast next(@Nullable String queue) throws SQLException {
    return database.inAutocommit(connection -> {
      List<Row> rows = queue == null ? ofAll(connection) : ofOne(connection, queue);
      Row any = rows.getFirst();
      return new Forecast(
          any.asOf(),
          any.hasAllComing(),
          any.hasAllOverdue(),
          cells(connection, queue, rows),
          queue == null ? null : settings(connection, queue),
          queue == null ? paused(connection) : List.of());
    });
  }

  private static List<Row> ofOne(Connection connection, String queue) throws SQLException {
    return Statements.list(
        connection,
        OF_ONE,
        p -> p.text(queue).integer(BUDGET + 1).text(queue).integer(BUDGET + 1),
        Forecasts::row);
  }

  private static List<Row> ofAll(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        OF_ALL,
        p ->
            p.integer(MOST_QUEUES)
                .integer(BUDGET + 1)
                .integer(BUDGET + 1)
                .integer(BUDGET + 1)
                .integer(BUDGET + 1),
        Forecasts::row);
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        Rows.instant(row, "as_of"),
        row.getLong("overdue"),
        row.getLong("coming"),
        row.getInt("steps"),
        row.getObject("minute") == null ? null : cell(row, 1));
  }

  private static Forecast.Cell cell(ResultSet row, double scale) throws SQLException {
    long jobs = Math.round(row.getLong("jobs") * scale);
    return new Forecast.Cell(row.getInt("minute"), row.getInt("attempt"), jobs);
  }

  private static List<Forecast.Cell> cells(
      Connection connection, @Nullable String queue, List<Row> rows) throws SQLException {
    Row any = rows.getFirst();
    List<Forecast.Cell> cells = new ArrayList<>();
    for (Row row : rows) {
      if (row.cell() != null && any.hasAll(row.cell())) {
        cells.add(row.cell());
      }
    }
    if (!any.hasAllOverdue() || !any.hasAllComing()) {
      sampled(connection, queue).stream().filter(cell -> !any.hasAll(cell)).forEach(cells::add);
    }
    return cells;
  }

  private static List<Forecast.Cell> sampled(Connection connection, @Nullable String queue)
      throws SQLException {
    double percent = BlockSample.percent(connection);
    return Statements.list(
        connection,
        SAMPLE,
        p -> p.real(percent).text(queue).text(queue),
        row -> cell(row, 100 / percent));
  }

  private static Forecast.Queue settings(Connection connection, String queue) throws SQLException {
    Forecast.Queue found =
        Statements.first(
            connection,
            QUEUE,
            p -> p.text(queue),
            row -> new Forecast.Queue(queue, row.getBoolean("paused")));
    return found == null ? new Forecast.Queue(queue, false) : found;
  }

  private static List<String> paused(Connection connection) throws SQLException {
    return Statements.list(connection, PAUSED, p -> p.integer(NAMED), row -> row.getString(1));
  }
}
