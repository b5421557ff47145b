package dev.ebb.db.queue;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The lock of a queue, under which one claim at a time looks for free jobs and names them in its
 * lease.
 *
 * <p>It is an advisory lock by the hash of the queue's name and lasts as long as the transaction.
 * It is taken, too, by all others that read and then write and let no claim in between: limiters,
 * and the actions that take an available job away.
 */
public final class QueueLock {
  /**
   * The beginning of a transaction that takes the lock; its select list may be continued. Its
   * parameters are how long the lock and any statement may take, and the queue.
   *
   * <p>The planner's settings keep a plan that was cached while the table was empty right when it
   * holds a million rows. At another isolation level, whose snapshot would be older than the lock,
   * the statement fails.
   *
   * <p>A constant expression, so that each statement that begins with it is one text.
   */
  public static final String TAKE_WITH_SETTINGS =
      """
      select
        set_config('lock_timeout', ?, true),
        set_config('statement_timeout', ?, true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('transaction_isolation', 'read committed', true),
        pg_advisory_xact_lock(6644322, hashtext(?))
      """;

  private static final String TAKE =
      """
      select pg_advisory_xact_lock(6644322, hashtext(?))
      """;

  private QueueLock() {}

  /** Takes the queue's lock until the transaction ends. */
  public static void take(Connection connection, String queue) throws SQLException {
    Statements.run(connection, TAKE, p -> p.text(queue));
  }
}
