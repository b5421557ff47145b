package dev.ebb.core;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What shall be written of a job after a run: the one place where an outcome becomes a decision.
 */
public sealed interface Settlement {

  /** Reason of a dead letter whose last budgeted attempt failed. */
  String ATTEMPTS_USED_UP = "attempts_used_up";

  /** Reason of a dead letter whose next attempt would start after its policy's deadline. */
  String DEADLINE = "deadline";

  /** To the history, done. */
  record Complete() implements Settlement {}

  /** Available again after the delay; the attempt is spent. */
  record Retry(Duration delay, Failure failure) implements Settlement {}

  /** Available again after the delay; a poll is counted, the attempt is not spent. */
  record Poll(Duration delay) implements Settlement {}

  /**
   * To the dead letters.
   *
   * @param reason {@link #ATTEMPTS_USED_UP}, {@link #DEADLINE}, or the fatal failure's own reason
   */
  record DeadLetter(String reason, Failure failure) implements Settlement {}

  /** Available again at once; the attempt is given back. */
  record Release() implements Settlement {}

  /** To the history, cancelled. */
  record Cancel() implements Settlement {}

  /**
   * Decides.
   *
   * @param now the database's clock at the end of the run
   */
  static Settlement decide(Job job, Outcome outcome, Instant now, RandomGenerator random) {
    throw new AssertionError();
  }

  /**
   * The same, unless somebody asked for the job to stop: then only a completed one is not
   * cancelled.
   */
  default Settlement orCancel(boolean cancelRequested) {
    return cancelRequested && !(this instanceof Complete) ? new Cancel() : this;
  }
}
