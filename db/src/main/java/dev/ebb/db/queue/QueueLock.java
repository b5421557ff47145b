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
  private static final String SETTINGS =
      """
      select
        set_config('lock_timeout', ?, true),
        set_config('statement_timeout', ?, true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('transaction_isolation', 'read committed', true)\
      """;

  /**
   * The beginning of a transaction that takes the lock. Its parameters are how long the lock and
   * any statement may take, and the queue.
   *
   * <p>The planner's settings keep a plan that was cached while the table was empty right when it
   * holds a million rows. At another isolation level, whose snapshot would be older than the lock,
   * the statement fails.
   *
   * <p>A constant expression, so that each statement that begins with it is one text.
   */
  public static final String TAKE_WITH_SETTINGS =
      SETTINGS
          + """
          ,
            pg_advisory_xact_lock(6644322, hashtext(?));
          """;

  /**
   * Takes those of several queues' locks that are free; waits only where it is told to, which is
   * for a single queue, so that no two transactions wait for each other. Its parameters are how
   * long the lock and any statement may take, the queues, and whether to wait. Its second result is
   * the queues as an array, which statements that follow find in {@link #TAKEN}.
   *
   * <p>The commit does not wait for the disk. A node that freezes in between keeps the locks for
   * two seconds, also behind a pooler. What follows is planned once: to plan it for so few queues
   * takes longer than to run it.
   */
  public static final String TAKE_SOME_WITH_SETTINGS =
      SETTINGS
          + """
          ,
            set_config('synchronous_commit', 'off', true),
            set_config('idle_in_transaction_session_timeout', '2s', true),
            set_config('plan_cache_mode', 'force_generic_plan', true);
          select set_config('ebb.locked', coalesce(array_agg(t.queue), '{}')::text, true)::text[]
          from unnest(?::text[]) as t (queue)
          where case
            when ? then pg_advisory_xact_lock(6644322, hashtext(t.queue)) is not null
            else pg_try_advisory_xact_lock(6644322, hashtext(t.queue))
          end;
          """;

  /** The queues whose locks {@link #TAKE_SOME_WITH_SETTINGS} took, as an expression. */
  public static final String TAKEN = "(select current_setting('ebb.locked')::text[])::text[]";

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
