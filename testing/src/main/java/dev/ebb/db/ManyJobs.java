package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database with many jobs, and what statements read of it, by PostgreSQL's own counts. */
public final class ManyJobs {
  private static final String BLOCKS =
      """
      select coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and s.query ilike ?
      """;

  // Each read goes through all that is counted on the server, with its texts: what is over goes.
  private static final String RESET =
      """
      select pg_stat_statements_reset(0, d.oid, 0)
      from pg_database d
      where d.datname = current_database()
        or d.oid in (select s.dbid from pg_stat_statements(false) s)
          and not exists (select from pg_stat_activity a where a.datid = d.oid)
      """;

  private ManyJobs() {}

  /** Adds so many ended, as many retrying and half as many dead, with their attempts. */
  public static void add(DatabaseConfig config, int rows) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          with made as (
            insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
              priority, cancelled, queue, kind, labels)
            select uuidv7(), now(), now(), now(), 1, 3, 5, false, 'q', 'echo', '{"m":"x"}'
            from generate_series(1, %1$s)
            returning id, labels
          )
          insert into ebb.term (term, id)
          select t.term, m.id from made m cross join lateral ebb.terms(null, m.labels) t (term);
          with made as (
            insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
            select now() + interval '1 hour', 1, 3, 5, 'q', 'echo', '{"order":1}'
            from generate_series(1, %1$s)
            returning id
          )
          insert into ebb.attempt (job_id, started_at, number, outcome, failure_reason, failure, node)
          select id, now(), 1, 'failed', 'http_500', 'no', 'n' from made;
          insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
            created_at, version, attempt, max_attempts, priority, queue, kind, payload)
          select uuidv7(), 'r', 'http_500', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'echo',
            '{"order":1}'
          from generate_series(1, %1$s / 2);
          """
              .formatted(rows));
      statement.execute(
          "vacuum analyze ebb.job, ebb.history, ebb.dead_letter, ebb.attempt, ebb.term");
    }
  }

  /**
   * Has the server count anew what statements of this database touch, and of no other that anybody
   * uses.
   */
  public static void resetBlocks(DatabaseConfig config) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(RESET);
    }
  }

  /** Blocks that statements of that pattern touched, of whatever table, since they are counted. */
  public static long blocks(DatabaseConfig config, String pattern) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        PreparedStatement statement = connection.prepareStatement(BLOCKS)) {
      statement.setString(1, pattern);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
