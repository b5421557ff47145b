package dev.ebb.core.job;

import dev.ebb.core.InvalidInput;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run. A handler returns one; a thrown exception, a lost worker and a shutdown are
 * one too.
 */
public sealed interface Outcome {

  /** It is done. */
  record Completed() implements Outcome {}

  /** It failed and may be tried again: costs an attempt. */
  record Failed(Failure failure) implements Outcome {}

  /**
   * The other side asked for less: costs an attempt, and the retry comes no earlier than asked.
   *
   * @param retryAfter how long the other side asked to wait; zero or more
   */
  record Throttled(Failure failure, Duration retryAfter) implements Outcome {
    public Throttled {
      InvalidInput.require(!retryAfter.isNegative(), "retryAfter", "must not be negative");
    }
  }

  /**
   * There is nothing to do yet, ask again later: costs no attempt; snoozes are counted apart.
   *
   * @param delay how long to wait, zero or more, counted as {@link Settlement#MIN_SNOOZE} to ten
   *     years; {@code null} for the policy's own delay
   * @param answered whether the other side said so itself
   * @param elsewhere whether this node cannot run jobs of its queue, and others may: it leaves the
   *     queue to them for a while
   */
  record NotReady(@Nullable Duration delay, boolean answered, boolean elsewhere)
      implements Outcome {
    /** One that says nothing of the node. */
    public NotReady(@Nullable Duration delay, boolean answered) {
      this(delay, answered, false);
    }

    /** One of which this side decided. */
    public NotReady(@Nullable Duration delay) {
      this(delay, false);
    }

    public NotReady {
      InvalidInput.require(delay == null || !delay.isNegative(), "delay", "must not be negative");
    }
  }

  /**
   * It failed and no further attempt can help: a dead letter now.
   *
   * @param gone whether the other side said that there is no such receiver any more
   */
  record Fatal(Failure failure, boolean gone) implements Outcome {
    /** One that says nothing of the receiver. */
    public Fatal(Failure failure) {
      this(failure, false);
    }
  }

  /** Somebody asked for it to stop, and it did. */
  record Cancelled() implements Outcome {}

  /**
   * It was given back unfinished, by a shutdown: costs nothing. From a handler it counts as not
   * ready.
   */
  record GivenBack() implements Outcome {}

  /** Why it did not complete; {@code null} if nothing failed. */
  default @Nullable Failure failure() {
    return null;
  }

  /** Its name in metrics and traces. */
  default String word() {
    return switch (this) {
      case Completed _ -> "completed";
      case Failed _ -> "failed";
      case Throttled _ -> "throttled";
      case NotReady _ -> "not_ready";
      case Fatal _ -> "fatal";
      case Cancelled _ -> "cancelled";
      case GivenBack _ -> "given_back";
    };
  }

  static Outcome completed() {
    return new Completed();
  }

  static Outcome failed(String reason, String message) {
    return new Failed(new Failure(reason, message));
  }

  static Outcome fatal(String reason, String message) {
    return new Fatal(new Failure(reason, message));
  }
}
