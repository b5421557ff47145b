package dev.ebb.db.stats;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** The statistics of a database, and the same counted anew from what happened to its jobs. */
public final class Recount {
  // Snoozes leave no row, and neither do redrives: the caller knows of these.
  private static final String FROM_THE_JOBS =
      """
      select queue || '/' || kind || ' ' || what as what, sum(number)::bigint as number
      from (
        select queue, kind, 'submitted' as what, count(*) as number
        from (
          select id, queue, kind from ebb.job
          union all select id, queue, kind from ebb.dead_letter
          union all select id, queue, kind from ebb.every_history
        ) submitted
        group by queue, kind
        union all
        select queue, kind, 'completed', count(*) from ebb.every_history
        where not cancelled group by queue, kind
        union all
        select queue, kind, 'cancelled', count(*) from ebb.every_history
        where cancelled group by queue, kind
        union all
        select queue, kind, 'dead', count(*) from ebb.dead_letter group by queue, kind
        union all
        select j.queue, j.kind, case a.outcome when 'fatal' then 'failed' else a.outcome end, count(*)
        from ebb.every_attempt a
        join (
          select id, queue, kind from ebb.job
          union all select id, queue, kind from ebb.dead_letter
          union all select id, queue, kind from ebb.every_history
        ) j on j.id = a.job_id
        group by 1, 2, 3
        union all
        select queue, kind, 'started', count(*) from ebb.every_history
        where started_at is not null group by queue, kind
        union all
        select j.queue, j.kind, 'started', count(*)
        from ebb.every_attempt a
        join (
          select id, queue, kind from ebb.job
          union all select id, queue, kind from ebb.dead_letter
          union all select id, queue, kind from ebb.every_history
        ) j on j.id = a.job_id
        group by 1, 2
        union all
        select j.queue, j.kind, 'started', count(*)
        from ebb.leased l
        join ebb.job j on j.id = l.id and j.version = l.version
        group by 1, 2
      ) counted
      group by 1
      having sum(number) > 0
      """;

  private Recount() {}

  /** By {@code queue/kind counter}. */
  public static Map<String, Long> ofTheJobs(DatabaseConfig config) throws SQLException {
    return read(config, FROM_THE_JOBS);
  }

  /** The same from the days, and from the tallies that are not folded. */
  public static Map<String, Long> ofTheStatistics(DatabaseConfig config) throws SQLException {
    return statistics(config, 1440);
  }

  /** The same from the steps of that many minutes. */
  public static Map<String, Long> statistics(DatabaseConfig config, int step) throws SQLException {
    StringBuilder sql = new StringBuilder("select what, sum(number)::bigint from (");
    for (Counter counter : Counter.values()) {
      sql.append(
          """
          select queue || '/' || kind || ' %1$s' as what, %1$s as number
          from ebb.stat where step = %2$s
          union all
          select queue || '/' || kind || ' %1$s', number from ebb.tally where counter = %3$s
          union all
          """
              .formatted(counter.column(), step, counter.number()));
    }
    return read(config, sql + "select '', 0) all_of_them group by 1 having sum(number) <> 0");
  }

  private static Map<String, Long> read(DatabaseConfig config, String sql) throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getLong(2));
      }
    }
    return counts;
  }
}
