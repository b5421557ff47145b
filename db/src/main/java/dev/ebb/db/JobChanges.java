package dev.ebb.db;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.action.JobActions;
import dev.ebb.db.action.JobErasure;
import dev.ebb.db.action.PatchJobs;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.json.PayloadJson;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.Submissions;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people do to one job. Each method is one transaction, with its audit entry. */
public final class JobChanges {
  private final Database database;

  public JobChanges(Database database) {
    this.database = database;
  }

  /**
   * Does the action to the job. DONE, also where a cancelled job is cancelled, NOT_FOUND,
   * WRONG_STATE; REQUESTED where a running job was asked to stop; of a redrive UNIQUE_KEY_TAKEN and
   * PAYLOAD_ERASED.
   *
   * @throws dev.ebb.core.InvalidInput if a hold does not end in the future
   */
  public ActionResult act(UUID id, JobAction action, Act act) throws SQLException {
    return database.inTransaction(connection -> JobActions.one(connection, id, action, act));
  }

  /**
   * Replaces what the sender said of an available job, but for its kind, queue and unique key; a
   * hold goes on. Answers whether the job was still as it was seen: nothing was written if it was
   * not, or if it runs.
   *
   * @param fields all of them, with {@code maxAttempts}; without {@code runAt} it is due now
   * @throws dev.ebb.core.InvalidInput if the payload is not JSON, or {@code maxAttempts} no more
   *     than were made
   */
  public boolean patch(JobView seen, NewJob fields, Act act) throws SQLException {
    PayloadJson.check(fields.payload());
    JobAction patch = new JobAction.Patch(fields, seen.version(), seen.attempt());
    Changes changes = PatchJobs.changes(seen, fields);
    ActionResult result =
        database.inTransaction(
            connection -> JobActions.one(connection, seen.id(), patch, act, changes));
    return result == ActionResult.DONE;
  }

  /**
   * Stores a job that was made from another; nothing if its unique key is taken.
   *
   * @param key under which the request may be repeated; {@code null} for none
   * @throws dev.ebb.db.submit.UniqueKeyLocked if an open transaction holds the unique key
   * @throws dev.ebb.core.InvalidInput if the payload is not JSON
   */
  public SubmitAnswer submitClone(UUID origin, NewJob clone, Act act, @Nullable IdempotencyKey key)
      throws SQLException {
    return Submissions.submit(
        database,
        new Submission(List.of(clone), Set.of(0), key),
        JobQueue.KEY_PATIENCE,
        connection -> Audit.write(connection, act, "job.clone", origin.toString(), 1));
  }

  /** The answer to an earlier request for a clone with the key; empty if the key is new. */
  public Optional<SubmitAnswer> knownClone(IdempotencyKey key) throws SQLException {
    return Submissions.known(database, key);
  }

  /**
   * Forgets the payload of a job that cannot run any more, and what its attempts recorded. A dead
   * letter without a payload is not redriven. DONE, also where it is erased already, NOT_FOUND,
   * WRONG_STATE.
   */
  public ActionResult erase(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> JobErasure.erase(connection, id, act));
  }
}
