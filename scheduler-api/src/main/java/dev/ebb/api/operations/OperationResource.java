package dev.ebb.api.operations;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import dev.ebb.contract.Paged;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.QueryText;
import dev.ebb.db.operation.OperationView;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation as answers show it; what does not apply is left out.
 *
 * @param query the filter in the language of {@code q}; absent where ids name the jobs, or where it
 *     looks into payloads that the caller may not see
 * @param idCount how many jobs were named
 * @param resetAttempts of a retry or a redrive alone
 * @param ratePerSecond absent for as fast as it goes
 * @param maxJobs how many of those that match it touches at most; absent for all
 * @param pauseAfterStages after how many of the first stages it pauses; absent for none
 * @param stage from 1; the one behind the stages is the rest
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OperationResource(
    UUID id,
    String action,
    String state,
    @Nullable String stateReason,
    @Nullable String query,
    @Nullable Integer idCount,
    @Nullable Instant runAt,
    @Nullable Instant until,
    @Nullable Boolean warmUp,
    @Nullable Boolean resetAttempts,
    @Nullable Integer priority,
    @Nullable Double ratePerSecond,
    @Nullable List<Integer> stages,
    @Nullable Double stopOnFailureRatio,
    @Nullable Integer pauseAfterStages,
    @Nullable Integer stage,
    @Nullable Integer maxJobs,
    long matched,
    boolean matchedExact,
    long done,
    long skipped,
    @Nullable Long succeeded,
    @Nullable Long failed,
    String startedBy,
    @Nullable String reason,
    Instant createdAt,
    @Nullable Instant endedAt) {

  /**
   * A page of operations, newest first.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<OperationResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(List<OperationView> operations, int limit, Caller caller) {
    return new Page(
        operations.stream().map(operation -> of(operation, caller)).toList(),
        operations.size() == limit ? operations.getLast().id().toString() : null);
  }

  static OperationResource of(OperationView operation, Caller caller) {
    OperationPlan plan = operation.plan();
    OperationView.Counts counts = operation.counts();
    Pace pace = plan.pace();
    boolean isJudged = plan.stopRatio() != null;
    boolean isStaged = !plan.stages().isEmpty();
    JobAction action = plan.action();
    return new OperationResource(
        operation.id(),
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
