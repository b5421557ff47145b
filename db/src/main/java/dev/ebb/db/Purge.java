package dev.ebb.db;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The verb purge: cancels the jobs of a queue that do not run, and its dead letters, a batch at a
 * time. Each batch is a transaction, so that claims wait no longer than for one of them.
 */
record Purge(Database database, String queue, Act act) {
  static final int BATCH = 500;

  /** How many a purge takes, and how many it counts of those that are left. */
  static final int MOST = 10_000;

  /** When a job is due, or was without its hold. */
  private static final String DUE =
      "case when ebb.is_held(held_version, version, held_until) then held_run_at else run_at end";

  // Under the queue's lock no claim takes a job between the reading of the leases and the deleting.
  private static final String CANCEL_JOBS =
      """
      with picked as materialized (
        select j.id, j.version
        from ebb.job j
        where j.queue = ?
          and (j.id, j.version) not in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = ?)
        limit ?
      ), cancelled as (
        delete from ebb.job j
        using picked
        where j.id = picked.id
          and j.version = picked.version
        returning j.*
      ), tallied as (
      %3$s
      )
      insert into ebb.history (
        %1$s, attempt,
        cancelled)
      select
        %2$s, attempt,
        true
      from cancelled
      """
          .formatted(
              KeptColumns.IN_HISTORY,
              KeptColumns.IN_HISTORY.replace("run_at", DUE),
              Tally.of(Counter.CANCELLED, "cancelled"));

  // One that somebody redrives at this instant is left to them.
  private static final String CANCEL_DEAD_LETTERS =
      """
      with picked as materialized (
        select d.id
        from ebb.dead_letter d
        where d.queue = ?
        order by d.id
        limit ?
        for update skip locked
      ), cancelled as (
        delete from ebb.dead_letter d
        using picked
        where d.id = picked.id
        returning d.*
      ), tallied as (
      %2$s
      )
      insert into ebb.history (
        %1$s, attempt, started_at, node,
        cancelled)
      select
        %1$s, attempt, started_at, node,
        true
      from cancelled
      """
          .formatted(KeptColumns.IN_HISTORY, Tally.of(Counter.DISCARDED, "cancelled"));

  private static final String JOBS_LEFT =
      """
      select count(*)
      from (
        select
        from ebb.job j
        where j.queue = ?
          and (j.id, j.version) not in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = ?)
        limit ?
      ) found
      """;

  private static final String DEAD_LETTERS_LEFT =
      """
      select count(*)
      from (select from ebb.dead_letter d where d.queue = ? limit ?) found
      """;

  /** A batch, which answers how many it took. */
  @FunctionalInterface
  private interface Batch {
    int take(Connection connection, int most) throws SQLException;
  }

  Purged purge(boolean jobs, boolean deadLetters) throws SQLException {
    int purged = jobs ? batches(MOST, this::cancelJobs) : 0;
    purged += deadLetters ? batches(MOST - purged, this::cancelDeadLetters) : 0;
    return new Purged(purged, left(jobs, deadLetters));
  }

  private int batches(int most, Batch batch) throws SQLException {
    int taken = 0;
    int last = BATCH;
    while (last == BATCH && taken < most) {
      int wanted = Math.min(BATCH, most - taken);
      last = database.inTransaction(connection -> audited(connection, batch, wanted));
      taken += last;
    }
    return taken;
  }

  private int audited(Connection connection, Batch batch, int most) throws SQLException {
    int taken = batch.take(connection, most);
    if (taken > 0) {
      Audit.write(connection, act, "queue.purge", queue, taken);
    }
    return taken;
  }

  private int cancelJobs(Connection connection, int most) throws SQLException {
    QueueLock.take(connection, queue);
    return Statements.update(connection, CANCEL_JOBS, p -> p.text(queue).text(queue).integer(most));
  }

  private int cancelDeadLetters(Connection connection, int most) throws SQLException {
    return Statements.update(connection, CANCEL_DEAD_LETTERS, p -> p.text(queue).integer(most));
  }

  private int left(boolean jobs, boolean deadLetters) throws SQLException {
    return database.inAutocommit(connection -> {
      int left =
          jobs ? count(connection, JOBS_LEFT, p -> p.text(queue).text(queue).integer(MOST)) : 0;
      int most = MOST - left;
      return deadLetters
          ? left + count(connection, DEAD_LETTERS_LEFT, p -> p.text(queue).integer(most))
          : left;
    });
  }

  private static int count(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    return Statements.one(connection, sql, binding, row -> row.getInt(1));
  }
}
