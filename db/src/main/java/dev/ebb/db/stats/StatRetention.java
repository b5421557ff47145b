package dev.ebb.db.stats;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Deletes old statistics: minutes after 30 days, hours and days after 400, those of subjects after
 * two hours.
 */
public final class StatRetention {
  private static final int PIECE = 10_000;

  private static final String PRUNE =
      """
      delete from ebb.stat
      where ctid = any (array(
        select ctid
        from ebb.stat
        where step = ? and at < now() - make_interval(days => ?)
        limit ?
      ))
      """;

  private static final String FORGET_QUEUES =
      """
      delete from ebb.stat_queue s
      where s.jobs = 0
        and s.dead_letters = 0
        and s.touched_at < now() - interval '1 hour'
        and s.queue <> '*'
      """;

  private static final String FORGET_SUBJECTS =
      """
      delete from ebb.subject_stat where at < now() - interval '2 hours'
      """;

  private final Database database;

  public StatRetention(Database database) {
    this.database = database;
  }

  /** Deletes a piece of what is old, and answers whether there may be more. */
  public boolean prune() throws SQLException {
    return database.inAutocommit(connection -> {
      Statements.run(connection, FORGET_QUEUES, _ -> {});
      Statements.run(connection, FORGET_SUBJECTS, _ -> {});
      return prune(connection, 1, 30) || prune(connection, 60, 400) || prune(connection, 1440, 400);
    });
  }

  private static boolean prune(Connection connection, int step, int days) throws SQLException {
    return Statements.update(connection, PRUNE, p -> p.integer(step).integer(days).integer(PIECE))
        == PIECE;
  }
}
