package dev.ebb.db;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The verbs that people use on one job: cancel, retry now, redrive.
 *
 * <p>The leases tell whether a job is running, so cancel and retry take its queue's lock as a claim
 * does: no claim can take the job between their reading and their writing.
 */
final class JobActions {
  private static final String CANCEL_AVAILABLE =
      """
      with cancelled as (
        delete from ebb.job j
        where j.id = ?
          and (j.id, j.version) not in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = ?)
        returning j.*
      ), tallied as (
      %2$s
      )
      insert into ebb.history (
        %1$s, attempt,
        cancelled)
      select
        %1$s, attempt,
        true
      from cancelled
      """
          .formatted(KeptColumns.IN_HISTORY, Tally.of(Counter.CANCELLED, "cancelled"));

  // The version stays, so that the lease still owns the job, and its holder settles it as
  // cancelled.
  private static final String REQUEST_CANCEL =
      """
      update ebb.job j
      set cancel_requested = true
      where j.id = ?
        and (j.id, j.version) in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      """;

  private static final String RETRY_NOW =
      """
      update ebb.job j
      set version = j.version + 1,
        run_at = least(j.run_at, statement_timestamp()),
        %s
      from (select ?::boolean as fresh) b
      where j.id = ?
        and not ebb.is_held(j.held_version, j.version, j.held_until)
        and (j.id, j.version) not in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      """
          .formatted(FreshBudget.OF_RETRY);

  // The row leaves the dead letters only if it arrived among the jobs. It is locked first:
  // otherwise a second redrive that was slow could bring back, from its old snapshot, a job that
  // has ended since. An erased payload is empty.
  private static final String REDRIVE =
      """
      with dead as (
        select * from ebb.dead_letter where id = ? and payload <> '' for update
      ), back as (
        insert into ebb.job (
          %1$s, run_at, redriven_at, version,
          attempt)
        select
          %1$s, statement_timestamp(), statement_timestamp(), version,
          %3$s
        from dead
        on conflict do nothing
        returning id, queue, kind
      ), tallied as (
      %2$s
      )
      delete from ebb.dead_letter d using back where d.id = back.id
      returning d.queue
      """
          .formatted(
              KeptColumns.IN_DEAD_LETTER,
              Tally.of(Counter.REDRIVEN, "back"),
              FreshBudget.OF_REDRIVE);

  private JobActions() {}

  static ActionResult cancel(Connection connection, UUID id, Act act) throws SQLException {
    String queue = JobPlaces.lockQueueOf(connection, id);
    if (queue == null) {
      return uncancelled(connection, id);
    }
    // The history keeps the time at which a held job would have been due.
    var _ = JobHolds.end(connection, id, queue);
    // A settle may put the job back between the two statements; then the first one fits again.
    for (int tries = 0; tries < 3; tries++) {
      if (write(connection, CANCEL_AVAILABLE, id, queue)) {
        Audit.write(connection, act, "job.cancel", id.toString(), 1);
        return ActionResult.DONE;
      }
      if (write(connection, REQUEST_CANCEL, id, queue)) {
        Audit.write(connection, act, "job.cancel", id.toString(), 1);
        return ActionResult.REQUESTED;
      }
    }
    return uncancelled(connection, id);
  }

  /** A job that is cancelled already counts as done: a sender that got no answer may ask again. */
  private static ActionResult uncancelled(Connection connection, UUID id) throws SQLException {
    String place = JobPlaces.whereIs(connection, id);
    return "cancelled".equals(place) ? ActionResult.DONE : JobPlaces.absent(place);
  }

  static ActionResult retry(Connection connection, UUID id, boolean resetAttempts, Act act)
      throws SQLException {
    String queue = JobPlaces.lockQueueOf(connection, id);
    if (queue == null) {
      return JobPlaces.absent(JobPlaces.whereIs(connection, id));
    }
    int written =
        Statements.update(connection, RETRY_NOW, p -> p.flag(resetAttempts).id(id).text(queue));
    if (written == 0) {
      return ActionResult.WRONG_STATE;
    }
    String action = resetAttempts ? "job.retry_reset_attempts" : "job.retry";
    Audit.write(connection, act, action, id.toString(), 1);
    return ActionResult.DONE;
  }

  static ActionResult redrive(
      Connection connection, UUID id, boolean warmUp, boolean resetAttempts, Act act)
      throws SQLException {
    String queue =
        Statements.first(
            connection, REDRIVE, p -> p.id(id).flag(resetAttempts), row -> row.getString(1));
    if (queue != null) {
      var _ = warmUp && Limiters.restartWarmUp(connection, queue);
      String action = resetAttempts ? "job.redrive" : "job.redrive_keep_attempts";
      Audit.write(connection, act, action, id.toString(), 1);
      return ActionResult.DONE;
    }
    String place = JobPlaces.whereIs(connection, id);
    return switch (place) {
      case "dead_letter" -> ActionResult.UNIQUE_KEY_TAKEN;
      case "erased" -> ActionResult.PAYLOAD_ERASED;
      case null, default -> JobPlaces.absent(place);
    };
  }

  private static boolean write(Connection connection, String sql, UUID id, String queue)
      throws SQLException {
    return Statements.update(connection, sql, p -> p.id(id).text(queue)) == 1;
  }
}
