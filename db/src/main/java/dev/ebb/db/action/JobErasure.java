package dev.ebb.db.action;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.errors.EmptyGroups;
import dev.ebb.db.settle.KeptColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The verb erase: forgets the payload of a job that cannot run any more, what was planned to follow
 * it, the labels and the destination that came from it, the group that is named after them, and
 * what its attempts recorded; the rest of the record stays.
 */
public final class JobErasure {
  /** What came from the payload; it leaves the labels that the sender gave. */
  private static final String FROM_PAYLOAD =
      """
      labels = nullif(labels - coalesce(payload_labels, '{}'), '{}'),
        payload_labels = null,
        destination = null\
      """;

  // It also locks the row, so that no redrive brings the job back meanwhile. A group whose name the
  // job no longer has lets go of it: it is grouped anew.
  private static final String ERASE_PAYLOAD =
      """
      with before as (
        select id, error_group from ebb.dead_letter where id = ? for update
      )
      update ebb.dead_letter d
      set payload = '',
        follow_ups = %2$s,
        %1$s,
        error_group = case
          when exists (
            select from ebb.error_group g
            where g.id = d.error_group
              and g.subject is not null
              and g.subject is distinct from
                ebb.subject(d.labels - coalesce(d.payload_labels, '{}'), null))
          then null
          else d.error_group
        end
      from before
      where d.id = before.id
      returning case when d.error_group is null then before.error_group end as left_group
      """
          .formatted(FROM_PAYLOAD, KeptColumns.WITHOUT_PLANS);

  private static final String ERASE_LAST_ATTEMPT =
      """
      update ebb.history
      set detail = null,
        %s
      where id = ?
        and num_nonnulls(detail, payload_labels, destination) > 0
      """
          .formatted(FROM_PAYLOAD);

  private static final String ERASE_STRAY_LAST_ATTEMPT =
      """
      update ebb.history_stray
      set detail = null,
        %s
      where id = ?
        and num_nonnulls(detail, payload_labels, destination) > 0
      """
          .formatted(FROM_PAYLOAD);

  private static final String ERASE_ATTEMPTS =
      """
      update ebb.attempt set detail = null where job_id = ? and detail is not null
      """;

  private static final String ERASE_STRAY_ATTEMPTS =
      """
      update ebb.attempt_stray set detail = null where job_id = ? and detail is not null
      """;

  private JobErasure() {}

  /** A dead letter whose payload is forgotten, and the group that it left with its name. */
  private record DeadErasure(@Nullable UUID leftGroup) {
    static DeadErasure read(ResultSet row) throws SQLException {
      return new DeadErasure(row.getObject("left_group", UUID.class));
    }
  }

  /** DONE, also where it is erased already, NOT_FOUND, WRONG_STATE. */
  public static ActionResult erase(Connection connection, UUID id, Act act) throws SQLException {
    EmptyGroups.lock(connection);
    DeadErasure dead =
        Statements.first(connection, ERASE_PAYLOAD, p -> p.id(id), DeadErasure::read);
    if (dead == null) {
      JobPlace place = JobPlaces.of(connection, id);
      if (place != JobPlace.COMPLETED && place != JobPlace.CANCELLED) {
        return place == JobPlace.NOT_FOUND ? ActionResult.NOT_FOUND : ActionResult.WRONG_STATE;
      }
    }
    // Rows move to the strays, not back.
    update(connection, ERASE_LAST_ATTEMPT, id);
    update(connection, ERASE_STRAY_LAST_ATTEMPT, id);
    update(connection, ERASE_ATTEMPTS, id);
    update(connection, ERASE_STRAY_ATTEMPTS, id);
    Audit.write(connection, act, "job.erase", id.toString(), 1);
    if (dead != null && dead.leftGroup != null) {
      EmptyGroups.forget(connection, dead.leftGroup);
    }
    return ActionResult.DONE;
  }

  private static boolean update(Connection connection, String sql, UUID id) throws SQLException {
    return Statements.update(connection, sql, p -> p.id(id)) > 0;
  }
}
