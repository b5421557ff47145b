package dev.ebb.core.operation;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Priority;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.Phase;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people do to a job, and, but for a patch, to many of them in an operation. */
public sealed interface JobAction {
  /** The names of those that an operation does. */
  List<String> OPERATIONS =
      List.of(
          "retry",
          "cancel",
          "redrive",
          "discard",
          "reschedule",
          "hold",
          "release",
          "skip",
          "set_priority");

  /**
   * Lets a job run now that waits for its time.
   *
   * @param resetAttempts whether it also gets a fresh budget: attempts, delays and the deadline
   *     count from now
   */
  record Retry(boolean resetAttempts) implements JobAction {}

  /** Takes an available job out, or asks a running one to stop. */
  record Cancel() implements JobAction {}

  /**
   * Makes a dead letter available.
   *
   * @param warmUp whether its queue, if its rate is limited, restarts its warm-up
   * @param resetAttempts whether its attempts count from 0; otherwise those that it had stay
   *     counted, except the last one if they are used up
   */
  record Redrive(boolean warmUp, boolean resetAttempts) implements JobAction {}

  /** Cancels a dead letter. */
  record Discard() implements JobAction {}

  /** Has an available job run at another time; a hold goes on. */
  record Reschedule(Instant runAt) implements JobAction {}

  /**
   * Keeps an available job from being claimed.
   *
   * @param until when the hold ends by itself; {@code null} for never
   */
  record Hold(@Nullable Instant until) implements JobAction {}

  /** Ends a job's hold: it is due as if it had not been held. */
  record Release() implements JobAction {}

  /**
   * Lets the others of a live job's ordering key run before it has ended; one without a key stays
   * as it is.
   */
  record Skip() implements JobAction {}

  /** Has an available job run before or after others that are due; a hold goes on. */
  record SetPriority(int priority) implements JobAction {
    public SetPriority {
      Priority.require(priority);
    }
  }

  /**
   * Replaces what the sender said of an available job, but for its kind, queue and unique key; a
   * hold goes on.
   *
   * @param fields all of them, with {@code maxAttempts}; without {@code runAt} it is due now
   * @param version of the job that was seen: one that has changed since stays as it is
   * @param attempts that were made
   */
  record Patch(NewJob fields, int version, int attempts) implements JobAction {
    public Patch {
      InvalidInput.require(
          Objects.requireNonNull(fields.maxAttempts()) > attempts,
          "maxAttempts",
          "must be more than the attempts that were made, of which there are " + attempts);
    }
  }

  /** The name in bodies, answers and SQL. */
  default String word() {
    return switch (this) {
      case Retry _ -> "retry";
      case Cancel _ -> "cancel";
      case Redrive _ -> "redrive";
      case Discard _ -> "discard";
      case Reschedule _ -> "reschedule";
      case Hold _ -> "hold";
      case Release _ -> "release";
      case Skip _ -> "skip";
      case SetPriority _ -> "set_priority";
      case Patch _ -> "patch";
    };
  }

  /** The name in the audit: it says what the action does to attempts unless it always does so. */
  default String auditWord() {
    return switch (this) {
      case Retry retry when retry.resetAttempts() -> "retry_reset_attempts";
      case Redrive redrive when !redrive.resetAttempts() -> "redrive_keep_attempts";
      case JobAction other -> other.word();
    };
  }

  /** The phases of the jobs that it can be done to. */
  default Set<Phase> phases() {
    return switch (this) {
      case Retry _ -> EnumSet.of(Phase.SCHEDULED, Phase.RETRYING);
      case Cancel _, Skip _ -> EnumSet.range(Phase.DUE, Phase.RUNNING);
      case Redrive _, Discard _ -> EnumSet.of(Phase.DEAD_LETTER);
      case Reschedule _, Hold _, SetPriority _, Patch _ -> EnumSet.range(Phase.DUE, Phase.RETRYING);
      case Release _ -> EnumSet.of(Phase.HELD);
    };
  }

  /** Whether it is done to live jobs, which a claim may take meanwhile. */
  default boolean isOfLiveJobs() {
    return !phases().contains(Phase.DEAD_LETTER);
  }

  /** Whether the jobs' next attempt tells if it was right. */
  default boolean startsAttempts() {
    return this instanceof Retry || this instanceof Redrive;
  }

  /** Whether jobs may be due by it that were not before, as the next of an ordering key. */
  default boolean makesDue() {
    return !(this instanceof Discard || this instanceof Hold);
  }
}
