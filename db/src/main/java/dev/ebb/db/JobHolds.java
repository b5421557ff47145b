package dev.ebb.db;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The verbs hold and release.
 *
 * <p>A held job becomes due at the end of its hold, which for a hold without an end is infinity:
 * claims need not know of holds, and the claim after its end takes it without anybody's help. Like
 * the other verbs on available jobs, both take the queue's lock.
 */
final class JobHolds {
  static final String HOLD =
      """
      update ebb.job j
      set version = j.version + 1,
        held_version = j.version + 1,
        held_until = t.until,
        held_reason = t.reason,
        held_run_at = case
          when ebb.is_held(j.held_version, j.version, j.held_until) then j.held_run_at
          else j.run_at
        end,
        -- No earlier than it is due.
        run_at = greatest(
          t.until,
          case
            when ebb.is_held(j.held_version, j.version, j.held_until) then j.held_run_at
            else j.run_at
          end)
      from (select coalesce(?::timestamptz, 'infinity') as until, ?::text as reason) t
      where j.id = ?
        and (j.id, j.version) not in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      """;

  private static final String RELEASE =
      """
      update ebb.job j
      set version = j.version + 1, run_at = j.held_run_at
      where j.id = ?
        and ebb.is_held(j.held_version, j.version, j.held_until)
        and (j.id, j.version) not in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      """;

  private static final String IS_AHEAD =
      """
      select ?::timestamptz > statement_timestamp()
      """;

  private JobHolds() {}

  static ActionResult hold(Connection connection, UUID id, @Nullable Instant until, Act act)
      throws SQLException {
    String queue = JobPlaces.lockQueueOf(connection, id);
    if (queue == null) {
      return JobPlaces.absent(JobPlaces.whereIs(connection, id));
    }
    requireAhead(connection, until);
    int written =
        Statements.update(
            connection, HOLD, p -> p.time(until).text(act.reason()).id(id).text(queue));
    if (written == 0) {
      return ActionResult.WRONG_STATE;
    }
    Audit.write(
        connection, act, "job.hold", id.toString(), new Changes().add("heldUntil", null, until));
    return ActionResult.DONE;
  }

  /** By the database's clock, which also ends the hold. */
  private static void requireAhead(Connection connection, @Nullable Instant until)
      throws SQLException {
    boolean ahead =
        until == null
            || Statements.one(connection, IS_AHEAD, p -> p.time(until), row -> row.getBoolean(1));
    InvalidInput.require(ahead, "until", "must lie in the future");
  }

  static ActionResult release(Connection connection, UUID id, Act act) throws SQLException {
    String queue = JobPlaces.lockQueueOf(connection, id);
    if (queue == null) {
      return JobPlaces.absent(JobPlaces.whereIs(connection, id));
    }
    if (!end(connection, id, queue)) {
      return ActionResult.WRONG_STATE;
    }
    Audit.write(connection, act, "job.release", id.toString(), 1);
    return ActionResult.DONE;
  }

  /** Ends the job's hold, if it has one, under the queue's lock. */
  static boolean end(Connection connection, UUID id, String queue) throws SQLException {
    return Statements.update(connection, RELEASE, p -> p.id(id).text(queue)) == 1;
  }
}
