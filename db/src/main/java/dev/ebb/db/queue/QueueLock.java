package dev.ebb.db.queue;

import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;

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

  private static final String TAKE_FREE =
      """
      select t.queue
      from unnest(?::text[]) t (queue)
      where pg_try_advisory_xact_lock(6644322, hashtext(t.queue))
      """;

  private QueueLock() {}

  /** Takes the queue's lock until the transaction ends. */
  public static void take(Connection connection, String queue) throws SQLException {
    Statements.run(connection, TAKE, p -> p.text(queue));
  }

  /**
   * Takes the locks of those queues that are free, until the transaction ends, and answers which
   * they are. It waits for the first alone, while it has none: so no two transactions wait for each
   * other, and each queue whose turn it is as the first gets it.
   */
  public static List<String> takeFree(Connection connection, List<String> queues)
      throws SQLException {
    if (queues.isEmpty()) {
      return List.of();
    }
    Savepoint before = connection.setSavepoint();
    try {
      take(connection, queues.getFirst());
    } catch (SQLException e) {
      if (!SqlStates.isLocked(e)) {
        throw e;
      }
      connection.rollback(before);
    }
    return Statements.list(connection, TAKE_FREE, p -> p.texts(queues), row -> row.getString(1));
  }
}
