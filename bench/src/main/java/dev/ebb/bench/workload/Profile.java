package dev.ebb.bench.workload;

import dev.ebb.bench.machine.Server;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Which statements of a system took most of the server's time in a round, by the server's count.
 */
public final class Profile {
  private static final String DEAREST =
      """
      select
        s.calls, s.total_exec_time, s.mean_exec_time, s.stddev_exec_time, s.rows,
        s.shared_blks_hit + s.shared_blks_read as blocks, s.wal_bytes,
        left(regexp_replace(s.query, '\\s+', ' ', 'g'), 70) as query
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      join pg_roles r on r.oid = s.userid
      where d.datname = ? and r.rolname = ?
      order by s.total_exec_time desc
      limit 6
      """;

  private Profile() {}

  /** A line each, with the filling of the round among them. */
  public static String of(Round round) throws SQLException {
    StringBuilder lines = new StringBuilder();
    try (PreparedStatement statement = round.admin().prepareStatement(DEAREST)) {
      statement.setString(1, round.database());
      statement.setString(2, Server.ROLE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lines.append(line(row));
        }
      }
    }
    return lines.toString();
  }

  private static String line(ResultSet row) throws SQLException {
    return String.format(
        Locale.ROOT,
        "  %,8.0f ms  %,7d calls of %7.3f ms (deviation %7.3f)  %,9d rows  %,10d blocks  %,6d kB of"
            + " WAL  %s%n",
        row.getDouble("total_exec_time"),
        row.getLong("calls"),
        row.getDouble("mean_exec_time"),
        row.getDouble("stddev_exec_time"),
        row.getLong("rows"),
        row.getLong("blocks"),
        row.getLong("wal_bytes") / 1024,
        row.getString("query"));
  }
}
