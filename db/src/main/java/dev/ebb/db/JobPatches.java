package dev.ebb.db;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.PayloadJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The verb patch: replaces what the sender said of an available job.
 *
 * <p>It writes over the version that its caller has seen, and under the queue's lock, so that
 * neither another change nor a claim lies between their reading and this writing.
 */
final class JobPatches {
  static final String PATCH =
      """
      update ebb.job j
      set version = j.version + 1,
        priority = t.priority,
        max_attempts = t.max_attempts,
        policy = t.policy,
        timeout_millis = t.timeout_millis,
        labels = t.labels,
        payload = t.payload,
        -- A hold goes on.
        run_at = case
          when ebb.is_held(j.held_version, j.version, j.held_until)
            then greatest(j.held_until, t.run_at)
          else t.run_at
        end,
        redriven_at = case
          when t.run_at = case
              when ebb.is_held(j.held_version, j.version, j.held_until) then j.held_run_at
              else j.run_at
            end
            then j.redriven_at
          else %s
        end,
        held_run_at = t.run_at,
        held_version = case
          when ebb.is_held(j.held_version, j.version, j.held_until) then j.version + 1
        end
      from (
        select
          coalesce(?::timestamptz, statement_timestamp()) as run_at,
          ?::smallint as priority,
          ?::integer as max_attempts,
          ?::jsonb as policy,
          ?::integer as timeout_millis,
          ?::jsonb as labels,
          ?::text as payload
      ) t
      where j.id = ?
        and j.version = ?
        and (j.id, j.version) not in (
          select l.id, l.version
          from ebb.leased l
          where l.queue = ?)
      """
          .formatted(FreshBudget.OF_RUN_AT);

  private JobPatches() {}

  /** Whether the job was still as it was seen; nothing was written if it was not. */
  static boolean patch(Connection connection, JobView seen, NewJob fields, Act act)
      throws SQLException {
    PayloadJson.check(fields.payload());
    InvalidInput.require(
        requireNonNull(fields.maxAttempts()) > seen.attempt(),
        "maxAttempts",
        "must be more than the attempts that were made, of which there are " + seen.attempt());
    QueueLock.take(connection, seen.queue());
    if (Statements.update(connection, PATCH, p -> bind(p, seen, fields)) == 0) {
      return false;
    }
    Audit.write(connection, act, "job.patch", seen.id().toString(), changes(seen, fields));
    return true;
  }

  private static Changes changes(JobView seen, NewJob fields) {
    return new Changes()
        .add("runAt", seen.times().runAt(), fields.runAt() == null ? "now" : fields.runAt())
        .add("priority", seen.priority(), fields.priority())
        .add("maxAttempts", seen.maxAttempts(), fields.maxAttempts())
        .add("policy", seen.policy(), fields.policy())
        .add("timeout", seen.timeout(), fields.timeout())
        .add("labels", seen.labels(), fields.labels())
        .addHidden("payload", seen.payload(), fields.payload());
  }

  static void bind(Parameters parameters, JobView seen, NewJob fields) throws SQLException {
    parameters
        .time(fields.runAt())
        .integer(fields.priority())
        .integer(fields.maxAttempts())
        .text(fields.policy() == null ? null : PolicyJson.write(fields.policy()).toString())
        .integer(fields.timeout() == null ? null : (int) fields.timeout().toMillis())
        .text(StoredSettings.text(fields.labels()))
        .text(fields.payload())
        .id(seen.id())
        .integer(seen.version())
        .text(seen.queue());
  }
}
