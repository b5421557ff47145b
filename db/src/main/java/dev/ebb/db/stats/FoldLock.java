package dev.ebb.db.stats;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/** What keeps two transactions from folding, or counting, at the same time. */
final class FoldLock {
  private static final String ALONE =
      """
      select
        set_config('lock_timeout', '100ms', true),
        set_config('jit', 'off', true),
        -- One statement in the cluster has it: pairs are looked up in memory, however many the
        -- planner expects.
        set_config('work_mem', '64MB', true),
        pg_try_advisory_xact_lock(6644323, 1)
      """;

  private FoldLock() {}

  /** Whether this transaction is the only one now; it waits for nobody. */
  static boolean take(Connection connection) throws SQLException {
    return Statements.one(connection, ALONE, _ -> {}, row -> row.getBoolean(4));
  }
}
