package dev.ebb.db.action;

import dev.ebb.contract.Purged;
import dev.ebb.core.access.Act;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The verb purge: cancels the jobs of a queue that do not run, and its dead letters, a batch at a
 * time. Each batch is a transaction, so that claims wait no longer than for one of them.
 */
public record Purge(Database database, String queue, Act act) {
  public static final int BATCH = 500;

  /** How many a purge takes, and how many it counts of those that are left. */
  public static final int MOST = 10_000;

  private static final String JOBS =
      """
      select j.id
      from ebb.job j
      where j.queue = ?
        and (j.id, j.version) not in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      limit ?
      """;

  private static final String DEAD_LETTERS =
      """
      select d.id from ebb.dead_letter d where d.queue = ? order by d.id limit ?
      """;

  /** The ids of a batch, of which there are at most so many. */
  @FunctionalInterface
  private interface Batch {
    List<UUID> ids(Connection connection, int most) throws SQLException;
  }

  public Purged purge(boolean jobs, boolean deadLetters) throws SQLException {
    int purged = jobs ? batches(MOST, new JobAction.Cancel(), this::jobs) : 0;
    purged += deadLetters ? batches(MOST - purged, new JobAction.Discard(), this::deadLetters) : 0;
    return new Purged(purged, left(jobs, deadLetters));
  }

  private int batches(int most, JobAction action, Batch batch) throws SQLException {
    int taken = 0;
    int last = BATCH;
    while (last == BATCH && taken < most) {
      int wanted = Math.min(BATCH, most - taken);
      last = database.inTransaction(connection -> one(connection, action, batch, wanted));
      taken += last;
    }
    return taken;
  }

  private int one(Connection connection, JobAction action, Batch batch, int most)
      throws SQLException {
    // Under the queue's lock no claim takes a job that was found.
    if (action.isOfLiveJobs()) {
      QueueLock.take(connection, queue);
    }
    List<UUID> ids = batch.ids(connection, most);
    int taken = JobActions.many(connection, action, ids, List.of(queue), act.reason()).size();
    if (taken > 0) {
      Audit.write(connection, act, "queue.purge", queue, taken);
    }
    return taken;
  }

  private List<UUID> jobs(Connection connection, int most) throws SQLException {
    return Statements.list(
        connection, JOBS, p -> p.text(queue).text(queue).integer(most), Purge::id);
  }

  private List<UUID> deadLetters(Connection connection, int most) throws SQLException {
    return Statements.list(connection, DEAD_LETTERS, p -> p.text(queue).integer(most), Purge::id);
  }

  private static UUID id(ResultSet row) throws SQLException {
    return row.getObject(1, UUID.class);
  }

  private int left(boolean jobs, boolean deadLetters) throws SQLException {
    return database.inAutocommit(connection -> {
      int left = jobs ? count(connection, JOBS, p -> p.text(queue).text(queue).integer(MOST)) : 0;
      int most = MOST - left;
      return deadLetters
          ? left + count(connection, DEAD_LETTERS, p -> p.text(queue).integer(most))
          : left;
    });
  }

  private static int count(Connection connection, String found, Statements.Binding binding)
      throws SQLException {
    String counted = "select count(*) from (" + found + ") found";
    return Statements.one(connection, counted, binding, row -> row.getInt(1));
  }
}
