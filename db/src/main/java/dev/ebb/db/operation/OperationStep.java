package dev.ebb.db.operation;

import dev.ebb.core.operation.OperationAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.operation.Stage;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.view.JobScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One step of an operation, in the transaction that has its row locked: looks how attempts ended,
 * finds jobs, acts on those of one queue.
 */
final class OperationStep {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration WHILE_NONE_ENDS = Duration.ofSeconds(2);
  private static final Duration AFTER_A_LOCK = Duration.ofMillis(100);

  // Nobody waits for a step for longer: claims of the queue do not start while it has their lock.
  private static final String SETTINGS =
      """
      select
        set_config('lock_timeout', '250ms', true),
        set_config('enable_seqscan', 'off', true),
        set_config('jit', 'off', true)
      """;

  private final Connection connection;
  private final OperationView operation;
  private final OperationPlan plan;
  private final Progress progress;
  private @Nullable String arrivedIn;
  private boolean requestedCancels;

  OperationStep(Connection connection, OperationView operation, Progress progress) {
    this.connection = connection;
    this.operation = operation;
    this.plan = operation.plan();
    this.progress = progress;
  }

  /** Takes the step, and writes how far the operation has come by it. */
  CarriedStep run() throws SQLException {
    settle();
    Double ratio = plan.stopRatio();
    if (ratio != null && judge(ratio)) {
      progress.save(connection, operation.id(), false);
    } else {
      go();
    }
    return new CarriedStep(arrivedIn, requestedCancels);
  }

  private void settle() throws SQLException {
    Statements.run(connection, SETTINGS, _ -> {});
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
    List<ItemOutcomes.Seen> seen = ItemOutcomes.look(connection, operation.id(), progress.lookedAt);
    progress.lookedAt =
        seen.size() < ItemOutcomes.BATCH ? ItemOutcomes.FIRST : seen.getLast().job();
    for (ItemOutcomes.Seen one : seen) {
      progress.stageEnded += one.hasEnded() ? 1 : 0;
      progress.stageFailed += one.isA("failed") ? 1 : 0;
      progress.failed += one.isA("failed") ? 1 : 0;
      progress.succeeded += one.isA("succeeded") ? 1 : 0;
    }
    return seen.stream().anyMatch(ItemOutcomes.Seen::hasEnded);
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
    String queue = OperationItems.nextQueue(connection, operation.id(), progress.lastQueue);
    if (queue != null) {
      act(queue);
    }
    boolean ended = queue == null && (progress.foundAll || progress.left(plan) == 0);
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

  private void act(String queue) throws SQLException {
    Pace pace = plan.pace();
    int most = Math.min(progress.batch, progress.stage(plan).left());
    if (pace != null) {
      most = pace.permits(progress.nextJobAt, progress.now, most);
    }
    if (most == 0) {
      progress.dueAt = progress.nextJobAt;
      return;
    }
    progress.lastQueue = queue;
    boolean shuffled = progress.batch < Progress.MOST_AT_ONCE;
    List<UUID> ids = OperationItems.ofQueue(connection, operation.id(), queue, shuffled, most);
    List<OperationItems.Result> results = resultsOrNone(queue, ids);
    if (results.isEmpty()) {
      progress.goSmaller(ids.size(), AFTER_A_LOCK);
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
  private List<OperationItems.Result> resultsOrNone(String queue, List<UUID> ids)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    List<String> warmed = List.copyOf(progress.warmedQueues);
    try {
      return results(queue, ids);
    } catch (SQLException e) {
      if (!SqlStates.isPerhapsOfTheRows(e)) {
        throw e;
      }
      connection.rollback(before);
      progress.warmedQueues.clear();
      progress.warmedQueues.addAll(warmed);
      arrivedIn = null;
      requestedCancels = false;
      return ids.size() == 1 && SqlStates.isOfTheRows(e) ? refused(ids.getFirst()) : List.of();
    }
  }

  /** The database will not take the row in any try. */
  private List<OperationItems.Result> refused(UUID id) throws SQLException {
    List<OperationItems.Result> refused =
        List.of(new OperationItems.Result(id, "skipped", "refused"));
    OperationItems.note(connection, operation.id(), progress.stage, false, refused);
    return refused;
  }

  private List<OperationItems.Result> results(String queue, List<UUID> ids) throws SQLException {
    List<OperationItems.Result> results = new ArrayList<>();
    Set<UUID> left = new HashSet<>(ids);
    if (!queue.isEmpty()) {
      add(results, left, done(queue, ids), "done");
      if (plan.action() == OperationAction.CANCEL && !left.isEmpty()) {
        List<UUID> running = LiveActions.requestCancel(connection, queue, List.copyOf(left));
        requestedCancels = !running.isEmpty();
        add(results, left, running, "requested");
      }
    }
    if (!left.isEmpty()) {
      results.addAll(skipped(queue, left));
    }
    OperationItems.note(
        connection, operation.id(), progress.stage, plan.stopRatio() != null, results);
    return results;
  }

  private static void add(
      List<OperationItems.Result> results, Set<UUID> left, List<UUID> ids, String result) {
    for (UUID id : ids) {
      results.add(new OperationItems.Result(id, result, null));
      left.remove(id);
    }
  }

  /** The jobs that the action did not take, with the reason; without those that were locked. */
  private List<OperationItems.Result> skipped(String queue, Set<UUID> left) throws SQLException {
    List<OperationItems.Result> skipped = new ArrayList<>();
    // With a queue it was live or dead when it was found.
    Instant endedSince = queue.isEmpty() ? null : operation.createdAt();
    Map<UUID, String> places = ItemPlaces.of(connection, List.copyOf(left), endedSince);
    places.forEach((id, place) -> {
      if (queue.isEmpty() || !ItemPlaces.fits(plan.action(), place)) {
        skipped.add(new OperationItems.Result(id, "skipped", place));
      }
    });
    return skipped;
  }

  private List<UUID> done(String queue, List<UUID> ids) throws SQLException {
    OperationAction action = plan.action();
    if (action == OperationAction.REDRIVE) {
      return redriven(queue, ids);
    }
    if (action == OperationAction.DISCARD) {
      return DeadActions.discard(connection, queue, ids);
    }
    QueueLock.take(connection, queue);
    return switch (action) {
      case CANCEL -> LiveActions.cancel(connection, queue, ids);
      case RETRY -> arrived(queue, LiveActions.retry(connection, queue, ids, plan.resetAttempts()));
      case RESCHEDULE -> arrived(queue, LiveActions.reschedule(connection, queue, ids, plan.at()));
      case SET_PRIORITY ->
          arrived(queue, LiveActions.setPriority(connection, queue, ids, plan.priority()));
      case HOLD -> LiveActions.hold(connection, queue, ids, plan.at(), operation.act().reason());
      case REDRIVE, DISCARD -> throw new IllegalStateException("not of live jobs");
    };
  }

  /** The queue's warm-up restarts with the first of its jobs that comes back. */
  private List<UUID> redriven(String queue, List<UUID> ids) throws SQLException {
    List<UUID> back = DeadActions.redrive(connection, queue, ids, plan.resetAttempts());
    List<UUID> done = arrived(queue, back);
    if (plan.warmUp() && !done.isEmpty() && !progress.warmedQueues.contains(queue)) {
      QueueLock.take(connection, queue);
      var _ = Limiters.restartWarmUp(connection, queue);
      settle();
      progress.warmedQueues.add(queue);
    }
    return done;
  }

  private List<UUID> arrived(String queue, List<UUID> done) {
    arrivedIn = done.isEmpty() ? null : queue;
    return done;
  }
}
