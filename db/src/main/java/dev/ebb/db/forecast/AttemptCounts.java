package dev.ebb.db.forecast;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of a queue that do not run by how often they were started: exactly from the claim
 * index, up to a budget of rows; beyond it by a sample of the jobs' blocks.
 */
public final class AttemptCounts {
  /** How many jobs are looked at exactly, at most. */
  static final int BUDGET = 10_000;

  /** Stands for this and all greater numbers of attempts. */
  public static final int MOST = 10;

  private static final String COUNT =
      """
      with running as materialized (
        select l.id, l.version from ebb.leased l where l.queue = ?
      ), looked as materialized (
        -- The order is the claim index's: without it, a plan may read the whole queue first.
        select j.id, j.version, j.attempt
        from ebb.job j
        where j.queue = ?
        order by j.priority, j.run_at, j.id
        limit ?
      )
      select now() as as_of, l.jobs as looked, c.attempts, c.jobs
      from (select count(*) as jobs from looked) l
      left join (
        select least(j.attempt, 10) as attempts, count(*) as jobs
        from looked j
        where (j.id, j.version) not in (select id, version from running)
        group by 1
      ) c on true
      """;

  private static final String SAMPLE =
      """
      with running as materialized (
        select l.id, l.version from ebb.leased l where l.queue = ?
      )
      select least(j.attempt, 10) as attempts, count(*) as jobs
      from ebb.job j tablesample system (?::real)
      where j.queue = ?
        and (j.id, j.version) not in (select id, version from running)
      group by 1
      """;

  private final Database database;

  public AttemptCounts(Database database) {
    this.database = database;
  }

  /**
   * What was counted.
   *
   * @param asOf the database's clock
   * @param exact whether every job was looked at; otherwise the numbers are estimates from a sample
   * @param jobs by the number of attempts that they had, 0 to {@value #MOST}; none where none are
   */
  public record DueCounts(Instant asOf, boolean exact, SortedMap<Integer, Long> jobs) {}

  /** A row: the attempts are {@code null} where no job is. */
  private record Row(Instant asOf, long looked, @Nullable Integer attempts, long jobs) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          Rows.instant(row, "as_of"),
          row.getLong("looked"),
          row.getObject("attempts", Integer.class),
          row.getLong("jobs"));
    }
  }

  /** Those of the queue. */
  public DueCounts of(String queue) throws SQLException {
    return database.inAutocommit(connection -> {
      List<Row> rows =
          Statements.list(
              connection, COUNT, p -> p.text(queue).text(queue).integer(BUDGET + 1), Row::read);
      Row any = rows.getFirst();
      boolean exact = any.looked() <= BUDGET;
      return new DueCounts(any.asOf(), exact, exact ? counted(rows) : sampled(connection, queue));
    });
  }

  private static SortedMap<Integer, Long> counted(List<Row> rows) {
    SortedMap<Integer, Long> jobs = new TreeMap<>();
    for (Row row : rows) {
      if (row.attempts() != null) {
        jobs.put(row.attempts(), row.jobs());
      }
    }
    return jobs;
  }

  private static SortedMap<Integer, Long> sampled(Connection connection, String queue)
      throws SQLException {
    double percent = BlockSample.percent(connection);
    SortedMap<Integer, Long> jobs = new TreeMap<>();
    var _ =
        Statements.list(
            connection,
            SAMPLE,
            p -> p.text(queue).real(percent).text(queue),
            row -> jobs.put(row.getInt("attempts"), scaled(row.getLong("jobs"), percent)));
    return jobs;
  }

  private static long scaled(long jobs, double percent) {
    return Math.round(jobs * 100 / percent);
  }
}
