package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import dev.ebb.contract.Operation;
import dev.ebb.contract.OperationList;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.QueryText;
import dev.ebb.db.operation.OperationView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows operations. */
final class OperationResource {
  private OperationResource() {}

  static OperationList page(List<OperationView> operations, int limit, Caller caller) {
    return new OperationList(
        operations.stream().map(operation -> of(operation, caller)).toList(),
        operations.size() == limit ? operations.getLast().id().toString() : null);
  }

  static Operation of(OperationView operation, Caller caller) {
    OperationPlan plan = operation.plan();
    OperationView.Counts counts = operation.counts();
    Pace pace = plan.pace();
    boolean isJudged = plan.stopRatio() != null;
    boolean isStaged = !plan.stages().isEmpty();
    JobAction action = plan.action();
    return new Operation(
        operation.id().toString(),
        action.word(),
        operation.state().word(),
        operation.stateReason(),
        query(plan.filter(), caller),
        plan.filter() == null ? (Integer) plan.ids().size() : null,
        action instanceof JobAction.Reschedule(Instant runAt) ? Answer.shown(runAt) : null,
        action instanceof JobAction.Hold(Instant until) ? Answer.shownOrNull(until) : null,
        action instanceof JobAction.Redrive redrive ? (Boolean) redrive.warmUp() : null,
        resetAttempts(action),
        action instanceof JobAction.SetPriority(int priority) ? (Integer) priority : null,
        pace == null ? null : (Double) pace.perSecond(),
        isStaged ? plan.stages() : null,
        plan.stopRatio(),
        plan.pausesAfter() > 0 ? (Integer) plan.pausesAfter() : null,
        isStaged ? (Integer) operation.stage().number() : null,
        plan.maxJobs(),
        operation.matched(),
        operation.matchedExact(),
        counts.done(),
        counts.skipped(),
        isJudged ? (Long) counts.succeeded() : null,
        isJudged ? (Long) counts.failed() : null,
        operation.act().actor(),
        operation.act().reason(),
        Answer.shown(operation.createdAt()),
        Answer.shownOrNull(operation.endedAt()));
  }

  private static @Nullable Boolean resetAttempts(JobAction action) {
    return switch (action) {
      case JobAction.Retry(boolean reset) -> reset;
      case JobAction.Redrive redrive -> redrive.resetAttempts();
      case JobAction _ -> null;
    };
  }

  private static @Nullable String query(@Nullable JobFilter filter, Caller caller) {
    if (filter == null || (filter.payload() != null && !caller.may(Scope.PAYLOAD_READ))) {
      return null;
    }
    return QueryText.of(filter);
  }
}
