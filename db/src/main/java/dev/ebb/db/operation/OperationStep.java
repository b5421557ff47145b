package dev.ebb.db.operation;

import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.operation.Stage;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.view.JobScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One step of an operation, in the transaction that has its row locked: looks how attempts ended,
 * finds jobs, acts on some.
 */
final class OperationStep {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration WHILE_NONE_ENDS = Duration.ofSeconds(2);
  private static final Duration AFTER_A_LOCK = Duration.ofMillis(100);

  private final Connection connection;
  private final OperationView operation;
  private final OperationPlan plan;
  private final Progress progress;
  private CarriedStep carried = new CarriedStep(Set.of(), false);

  OperationStep(Connection connection, OperationView operation, Progress progress) {
    this.connection = connection;
    this.operation = operation;
    this.plan = operation.plan();
    this.progress = progress;
  }

  /** Takes the step, and writes how far the operation has come by it. */
  CarriedStep run() throws SQLException {
    StepBatch.limitWaits(connection);
    Double ratio = plan.stopRatio();
    if (ratio != null && judge(ratio)) {
      progress.save(connection, operation.id(), false);
    } else {
      go();
    }
    return carried;
  }

  /** Looks how attempts ended, and whether the operation has to stop or wait for more of them. */
  private boolean judge(double ratio) throws SQLException {
    boolean someEnded = look();
    Stage stage = progress.stage(plan);
    if (stage.failsBeyond(ratio)) {
      progress.state = OperationState.PAUSED.word();
      progress.stateReason = stage.verdict(ratio);
      return true;
    }
    if (!stage.isFull()) {
      return false;
    }
    if (ItemOutcomes.awaits(connection, operation.id())) {
      progress.stateReason = "waiting for the next attempts of stage " + progress.stage;
      progress.putOff(someEnded ? LOOK_AGAIN : WHILE_NONE_ENDS);
      return true;
    }
    // None ended since somebody had it go on: a stage that had failed was looked at then.
    boolean isNews = progress.stageEnded > 0;
    boolean pauses = isNews && progress.stage <= plan.pausesAfter() && isMoreToDo();
    if (pauses) {
      progress.state = OperationState.PAUSED.word();
      progress.stateReason =
          "stage %s is complete: check its results, then resume".formatted(progress.stage);
    }
    progress.nextStage();
    return pauses;
  }

  private boolean isMoreToDo() throws SQLException {
    return progress.left(plan) > 0
        && (!progress.foundAll || OperationItems.waiting(connection, operation.id()) > 0);
  }

  /** Whether an attempt was seen to have ended. */
  private boolean look() throws SQLException {
    List<ItemOutcomes.ItemOutcome> seen =
        ItemOutcomes.look(connection, operation.id(), progress.lookedAt);
    progress.lookedAt =
        seen.size() < ItemOutcomes.BATCH ? ItemOutcomes.FIRST : seen.getLast().job();
    for (ItemOutcomes.ItemOutcome one : seen) {
      progress.stageEnded += one.hasEnded() ? 1 : 0;
      progress.stageFailed += one.isA("failed") ? 1 : 0;
      progress.failed += one.isA("failed") ? 1 : 0;
      progress.succeeded += one.isA("succeeded") ? 1 : 0;
    }
    return seen.stream().anyMatch(ItemOutcomes.ItemOutcome::hasEnded);
  }

  private void go() throws SQLException {
    if (plan.isHoldOver(progress.now)) {
      progress.state = OperationState.CANCELLED.word();
      progress.stateReason = "the end of the hold has passed";
      OperationItems.forgetWaiting(connection, operation.id());
      progress.save(connection, operation.id(), true);
      return;
    }
    int waiting = OperationItems.waiting(connection, operation.id());
    int most = (int) Math.min(Progress.MOST_AT_ONCE, progress.left(plan) - waiting);
    if (!progress.foundAll && waiting < Progress.MOST_AT_ONCE && most > 0) {
      find(most);
    }
    boolean ended = !act() && (progress.foundAll || progress.left(plan) == 0);
    if (ended) {
      progress.state = OperationState.COMPLETED.word();
      Audit.write(
          connection,
          operation.act(),
          "operation.complete",
          operation.id().toString(),
          progress.done);
    }
    progress.save(connection, operation.id(), ended);
  }

  /** Has the jobs that come next wait for their turn. */
  private void find(int most) throws SQLException {
    if (plan.filter() == null) {
      int to = Math.min(plan.ids().size(), progress.foundIds + most);
      List<UUID> ids = plan.ids().subList(progress.foundIds, to);
      OperationItems.add(connection, operation.id(), OperationItems.queuesOf(connection, ids));
      progress.foundIds = to;
      progress.foundAll = to == plan.ids().size();
      return;
    }
    JobScan.Page page =
        JobScan.page(
            connection, plan.requireFilter(), progress.beforeId, operation.createdAt(), most);
    OperationItems.add(connection, operation.id(), page.jobs());
    progress.beforeId = page.next();
    progress.foundAll = page.next() == null;
  }

  /** Acts on the jobs whose turn it is; false if none waits. */
  private boolean act() throws SQLException {
    Pace pace = plan.pace();
    int most = Math.min(progress.batch, progress.stage(plan).left());
    if (pace != null) {
      most = pace.permits(progress.nextJobAt, progress.now, most);
    }
    boolean shuffled = progress.batch < Progress.MOST_AT_ONCE;
    List<JobScan.FoundJob> jobs =
        OperationItems.next(
            connection, operation.id(), progress.lastQueue, shuffled, Math.max(1, most));
    if (most == 0) {
      progress.dueAt = progress.nextJobAt;
    } else if (!jobs.isEmpty()) {
      act(jobs, pace);
    }
    return !jobs.isEmpty();
  }

  private void act(List<JobScan.FoundJob> jobs, @Nullable Pace pace) throws SQLException {
    progress.lastQueue = jobs.getLast().queue();
    List<OperationItems.Result> results = resultsOrNone(jobs);
    if (results.isEmpty()) {
      progress.goSmaller(jobs.size(), AFTER_A_LOCK);
      return;
    }
    progress.goLarger();
    count(results, pace);
  }

  private void count(List<OperationItems.Result> results, @Nullable Pace pace) {
    int skipped = (int) results.stream().filter(OperationItems.Result::isSkipped).count();
    int done = results.size() - skipped;
    progress.done += done;
    progress.stageDone += done;
    progress.skipped += skipped;
    if (pace != null) {
      progress.nextJobAt = pace.next(progress.nextJobAt, progress.now, done);
    }
  }

  /** What was done to each job; to none if somebody keeps a lock that it takes. */
  private List<OperationItems.Result> resultsOrNone(List<JobScan.FoundJob> jobs)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    StepBatch batch = new StepBatch(connection, operation);
    Set<String> warmed = new LinkedHashSet<>(progress.warmedQueues);
    try {
      List<OperationItems.Result> results = noted(batch.act(jobs, warmed));
      progress.warmedQueues = List.copyOf(warmed);
      carried = batch.carried();
      return results;
    } catch (SQLException e) {
      if (!SqlStates.isPerhapsOfTheRows(e)) {
        throw e;
      }
      connection.rollback(before);
      // The database will not take the row in any try.
      return jobs.size() == 1 && SqlStates.isOfTheRows(e)
          ? noted(List.of(new OperationItems.Result(jobs.getFirst().id(), "skipped", "refused")))
          : List.of();
    }
  }

  private List<OperationItems.Result> noted(List<OperationItems.Result> results)
      throws SQLException {
    OperationItems.note(
        connection, operation.id(), progress.stage, plan.stopRatio() != null, results);
    return results;
  }
}
