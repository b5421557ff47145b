package dev.ebb.api.jobs;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violation;
import dev.ebb.db.submit.SubmitAnswer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refuses submits that stored nothing. */
final class SubmitRefusals {
  private SubmitRefusals() {}

  /**
   * The answer of a submit that was not refused.
   *
   * @param jobs the pointer to the list of the jobs; {@code null} if the body is one job
   */
  static SubmitAnswer.Stored stored(SubmitAnswer answer, @Nullable String jobs) {
    return switch (answer) {
      case SubmitAnswer.Stored stored -> stored;
      case SubmitAnswer.Duplicate(int index, UUID holder) ->
          throw duplicate(jobs == null ? "" : jobs + "/" + index, holder);
      case SubmitAnswer.InFlight() -> throw IdempotencyKeys.inFlight();
      case SubmitAnswer.KeyReused(Instant firstUsedAt, UUID job) ->
          throw IdempotencyKeys.reused(firstUsedAt, path(job));
    };
  }

  private static Refusal duplicate(String pointer, @Nullable UUID holder) {
    String which = holder == null ? "an earlier job of the batch" : "a job that has not ended";
    Violation broken = new Violation(pointer + "/uniqueKey", null, "is that of " + which);
    return Refusal.existing(
        ProblemCode.UNIQUE_KEY_TAKEN,
        pointer + "/uniqueKey is that of " + which + " and has the same kind. Nothing was stored.",
        List.of(broken),
        holder == null ? null : path(holder));
  }

  static String path(UUID job) {
    return "/v1/jobs/" + job;
  }
}
