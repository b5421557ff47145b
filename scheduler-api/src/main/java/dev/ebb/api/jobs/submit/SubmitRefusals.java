package dev.ebb.api.jobs.submit;

import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violations;
import dev.ebb.contract.Violation;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.submit.SubmitAnswer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refuses submits that stored nothing. */
public final class SubmitRefusals {
  private SubmitRefusals() {}

  /** What a refusal is of: of all that the request submits, or of one job of a batch. */
  enum Of {
    ALL("Nothing was stored."),
    ONE_JOB("This job was not stored.");

    private final String sentence;

    Of(String sentence) {
      this.sentence = sentence;
    }
  }

  /**
   * The answer of a submit that was not refused.
   *
   * @param jobs the pointer to the list of the jobs; {@code null} if the body is one job
   */
  public static SubmitAnswer.Stored stored(SubmitAnswer answer, @Nullable String jobs) {
    return switch (answer) {
      case SubmitAnswer.Stored stored -> stored;
      case SubmitAnswer.Duplicate(int index, UUID holder) ->
          throw duplicate(Of.ALL, jobs == null ? "" : jobs + "/" + index, holder);
      case SubmitAnswer.InFlight() -> throw IdempotencyKeys.inFlight();
      case SubmitAnswer.KeyReused(Instant firstUsedAt, UUID job) ->
          throw IdempotencyKeys.reused(firstUsedAt, path(job));
    };
  }

  /**
   * The refusal of a job that must not be a duplicate.
   *
   * @param pointer to the job in the body
   * @param holder of its unique key; {@code null} if that is another job of the same batch
   */
  static Refusal duplicate(Of of, String pointer, @Nullable UUID holder) {
    String which = holder == null ? "an earlier job of the batch" : "a job that has not ended";
    Violation broken = Violations.of(pointer + "/uniqueKey", null, "is that of " + which);
    return Refusal.existing(
        ProblemCode.UNIQUE_KEY_TAKEN,
        pointer + "/uniqueKey is that of " + which + " and has the same kind. " + of.sentence,
        List.of(broken),
        holder == null ? null : path(holder));
  }

  /** The refusal of a job for which its queue has no room. */
  static Refusal full(Of of, QueueDepths.Full full) {
    return Refusal.queueFull(
        "The queue %s has reached its maxDepth of %s. %s"
            .formatted(full.queue(), full.maxDepth(), of.sentence));
  }

  public static String path(UUID job) {
    return "/v1/jobs/" + job;
  }
}
