package dev.ebb.db.action;

import dev.ebb.core.access.Act;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.queue.Limiters;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Does actions, in the caller's transaction. */
public final class JobActions {
  private static final int MOST_TRIES = 3;

  private JobActions() {}

  /**
   * Does the action to one job, with its entry in the audit.
   *
   * @throws dev.ebb.core.InvalidInput if a hold does not end in the future
   */
  public static ActionResult one(Connection connection, UUID id, JobAction action, Act act)
      throws SQLException {
    Changes changes = new Changes();
    if (action instanceof JobAction.Hold hold) {
      changes.add("heldUntil", null, hold.until());
    }
    return one(connection, id, action, act, changes);
  }

  /**
   * The same.
   *
   * @param changes for the audit
   */
  public static ActionResult one(
      Connection connection, UUID id, JobAction action, Act act, Changes changes)
      throws SQLException {
    // A settle may put the job back between two looks at it.
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      List<ActedJob> acted = alone(connection, id, action, act);
      if (!acted.isEmpty()) {
        Audit.write(connection, act, "job." + action.auditWord(), id.toString(), changes);
        return acted.getFirst().requested() ? ActionResult.REQUESTED : ActionResult.DONE;
      }
      JobPlace place = JobPlaces.of(connection, id);
      if (!place.fits(action)) {
        return place.result(action);
      }
      JobPlaces.awaitRow(connection, id, action);
    }
    return ActionResult.WRONG_STATE;
  }

  private static List<ActedJob> alone(Connection connection, UUID id, JobAction action, Act act)
      throws SQLException {
    List<String> queue = action.isOfLiveJobs() ? JobPlaces.lockQueueOf(connection, id) : List.of();
    if (action instanceof JobAction.Hold hold && !queue.isEmpty()) {
      HoldJobs.requireAhead(connection, hold.until());
    }
    List<ActedJob> acted = many(connection, action, List.of(id), queue, act.reason());
    if (action instanceof JobAction.Redrive redrive && redrive.warmUp()) {
      for (ActedJob job : acted) {
        var _ = Limiters.restartWarmUp(connection, job.queue());
      }
    }
    return acted;
  }

  /**
   * Does the action to those of the jobs that it fits and that nobody else has locked, and answers
   * which they are.
   *
   * @param queues those of live jobs, whose locks the caller has taken; others are left alone
   * @param reason of a hold
   */
  public static List<ActedJob> many(
      Connection connection,
      JobAction action,
      List<UUID> ids,
      List<String> queues,
      @Nullable String reason)
      throws SQLException {
    return switch (action) {
      case JobAction.Cancel _ -> CancelJobs.run(connection, ids, queues);
      case JobAction.Retry retry -> RetryJobs.run(connection, ids, queues, retry.resetAttempts());
      case JobAction.Redrive redrive -> RedriveJobs.run(connection, ids, redrive.resetAttempts());
      case JobAction.Discard _ -> DiscardJobs.run(connection, ids);
      case JobAction.Reschedule reschedule ->
          RescheduleJobs.run(connection, ids, queues, reschedule.runAt());
      case JobAction.Hold hold -> HoldJobs.run(connection, ids, queues, hold.until(), reason);
      case JobAction.Release _ -> ReleaseJobs.run(connection, ids, queues);
      case JobAction.Skip _ -> SkipJobs.run(connection, ids, queues);
      case JobAction.SetPriority set -> PrioritizeJobs.run(connection, ids, queues, set.priority());
      case JobAction.Patch patch -> PatchJobs.run(connection, ids, queues, patch);
    };
  }
}
