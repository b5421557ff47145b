package dev.ebb.db.operation;

import dev.ebb.core.access.Act;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Stage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation as people see it.
 *
 * @param act who started it, and why
 * @param matched how many jobs it was to cover when it began
 * @param matchedExact whether that is no estimate
 * @param stateReason why it is paused or cancelled, or for what it waits
 */
public record OperationView(
    UUID id,
    Instant createdAt,
    OperationPlan plan,
    Act act,
    long matched,
    boolean matchedExact,
    OperationState state,
    @Nullable String stateReason,
    @Nullable Instant endedAt,
    Counts counts,
    Stage stage) {

  /** As it was when it began. */
  OperationView begun() {
    return new OperationView(
        id,
        createdAt,
        plan,
        act,
        matched,
        matchedExact,
        OperationState.RUNNING,
        null,
        null,
        new Counts(0, 0, 0, 0),
        Stage.of(plan.stages(), 1, 0, 0, 0));
  }

  /**
   * How many jobs it has come upon.
   *
   * @param done that were acted on
   * @param skipped that were left as they are
   * @param succeeded of those done, whose next attempt succeeded, as far as it was looked for
   * @param failed of those done, whose next attempt failed, as far as it was looked for
   */
  public record Counts(long done, long skipped, long succeeded, long failed) {}
}
