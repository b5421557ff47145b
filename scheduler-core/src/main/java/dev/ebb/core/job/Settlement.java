package dev.ebb.core.job;

import dev.ebb.core.Durations;
import dev.ebb.core.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The decision on a job after a run. Outcomes become decisions only here.
 *
 * <pre>
 *   outcome     settlement                       costs
 *   completed   complete, even when cancelled    the attempt
 *   failed      retry after the policy's delay   the attempt
 *   throttled   retry, not before Retry-After    the attempt
 *   not ready   snooze for its or that delay     a snooze; the attempt is given back
 *   fatal       dead letter now                  the attempt
 *   cancelled   cancel                           the attempt
 *   given back  give back                        nothing: the attempt is given back
 * </pre>
 *
 * <p>A retry beyond the budget or the deadline is a dead letter instead, a snooze beyond the
 * deadline too. The deadline is asked again when an attempt is about to start, because much may
 * have kept it since it was planned: {@link #tooLate}. If a cancel was requested, everything but
 * completed becomes cancel. A kind may have a floor: none of its retries comes sooner, whatever the
 * policy says.
 */
public sealed interface Settlement {

  /** Reason of a dead letter whose last budgeted attempt failed. */
  String ATTEMPTS_USED_UP = "attempts_used_up";

  /** Reason of a dead letter whose next attempt would start after its policy's deadline. */
  String DEADLINE = Failure.DEADLINE;

  /** A question that gets no final answer ends then, also without a deadline. */
  Duration LONGEST_ASKED = Duration.ofDays(30);

  /** No snooze is shorter, so that a handler which is never ready cannot spin. */
  Duration MIN_SNOOZE = Duration.ofMillis(100);

  /** To the history, done. */
  record Complete() implements Settlement {}

  /**
   * Available again after the delay; the attempt is spent.
   *
   * @param drawn the policy's part of the delay, without what the other side asked for: the next
   *     draw may build on it
   */
  record Retry(Duration delay, Duration drawn, Failure failure) implements Settlement {
    /** A delay that was drawn as a whole. */
    public Retry(Duration delay, Failure failure) {
      this(delay, delay, failure);
    }
  }

  /** Available again after the delay; a snooze is counted, the attempt is not spent. */
  record Snooze(Duration delay) implements Settlement {}

  /**
   * To the dead letters.
   *
   * @param reason {@link #ATTEMPTS_USED_UP}, {@link Failure#WORKER_LOST} where the last of them
   *     lost its worker, {@link #DEADLINE}, or the fatal failure's own reason
   */
  record DeadLetter(String reason, Failure failure) implements Settlement {}

  /** Available again at once; the attempt is given back. */
  record GiveBack() implements Settlement {}

  /** To the history, cancelled. */
  record Cancel() implements Settlement {}

  /**
   * Decides, for a kind without a floor or one whose handler is not known here.
   *
   * @param now the database's clock at the end of the run
   */
  static Settlement decide(Job job, Outcome outcome, Instant now, RandomGenerator random) {
    return decide(job, outcome, Duration.ZERO, now, random);
  }

  /**
   * Decides.
   *
   * @param floor no retry comes sooner, even where the policy's cap is shorter
   * @param now the database's clock at the end of the run
   */
  static Settlement decide(
      Job job, Outcome outcome, Duration floor, Instant now, RandomGenerator random) {
    return uncancelled(job, outcome, floor, now, random).orCancel(job.cancelRequested());
  }

  /**
   * The outcome of an attempt that may not start any more, because its policy's deadline has
   * passed. It is one of the attempts all the same: it was counted at the claim.
   *
   * @param now the database's clock, not behind it
   * @return empty if it may start
   */
  static Optional<Outcome> tooLate(Job job, Instant now) {
    return job.mayStart(now)
        ? Optional.empty()
        : Optional.of(
            Outcome.fatal(
                DEADLINE,
                "Not started: its policy's deadline, " + job.lastStart() + ", had passed."));
  }

  private static Settlement uncancelled(
      Job job, Outcome outcome, Duration floor, Instant now, RandomGenerator random) {
    return switch (outcome) {
      case Outcome.Completed() -> new Complete();
      case Outcome.Failed(Failure failure) ->
          retry(job, failure, Duration.ZERO, floor, now, random);
      case Outcome.Throttled(Failure failure, Duration retryAfter) ->
          retry(job, failure, retryAfter, floor, now, random);
      case Outcome.NotReady notReady -> snooze(job, notReady, now, random);
      case Outcome.Fatal(Failure failure, _) -> new DeadLetter(failure.reason(), failure);
      case Outcome.Cancelled() -> new Cancel();
      case Outcome.GivenBack() -> new GiveBack();
    };
  }

  /**
   * The drawn delay comes on top of the one asked for: jobs that were throttled together spread out
   * behind it, and none comes before it unless it lies beyond the backoff's longest delay.
   */
  private static Settlement retry(
      Job job,
      Failure failure,
      Duration atLeast,
      Duration floor,
      Instant now,
      RandomGenerator random) {
    if (job.attempt() >= job.maxAttempts()) {
      boolean lost = failure.reason().equals(Failure.WORKER_LOST);
      return new DeadLetter(lost ? Failure.WORKER_LOST : ATTEMPTS_USED_UP, failure);
    }
    Duration longest = job.policy().backoff().maxDelay();
    Duration drawn = draw(job, job.attempt(), random);
    Duration backoff = Durations.min(longest, Durations.min(longest, atLeast).plus(drawn));
    Duration delay = Durations.max(floor, backoff);
    return inTime(job, now, delay)
        ? new Retry(delay, drawn, failure)
        : new DeadLetter(DEADLINE, failure);
  }

  /** A handler's own delay is no backoff: it may exceed the policy's cap, but not ten years. */
  private static Settlement snooze(
      Job job, Outcome.NotReady notReady, Instant now, RandomGenerator random) {
    Duration wanted = wanted(job, notReady, random);
    Duration delay = Durations.max(MIN_SNOOZE, Durations.min(wanted, InvalidInput.MAX_DURATION));
    boolean isAskedOnAndOn =
        notReady.answered() && now.isAfter(job.budgetFrom().plus(LONGEST_ASKED));
    return inTime(job, now, delay) && !isAskedOnAndOn
        ? new Snooze(delay)
        : new DeadLetter(
            DEADLINE,
            new Failure(
                Failure.NOT_READY,
                isAskedOnAndOn
                    ? "Still not ready after 30 days."
                    : "Still not ready, and the next time would be after the deadline."));
  }

  /** The other side may ask for longer than the policy's delay, up to its longest one. */
  private static Duration wanted(Job job, Outcome.NotReady notReady, RandomGenerator random) {
    Duration asked = notReady.delay();
    if (asked != null && !notReady.answered()) {
      return asked;
    }
    Duration drawn = draw(job, job.snoozes() + 1, random);
    return asked == null
        ? drawn
        : Durations.max(drawn, Durations.min(asked, job.policy().backoff().maxDelay()));
  }

  private static Duration draw(Job job, int n, RandomGenerator random) {
    return job.policy().draw(job.priority(), n).after(job.lastDelay(), random);
  }

  private static boolean inTime(Job job, Instant now, Duration delay) {
    return job.mayStart(now.plus(delay));
  }

  /**
   * The same, unless somebody asked for the job to stop: then only a completed one is not
   * cancelled.
   */
  default Settlement orCancel(boolean cancelRequested) {
    return cancelRequested && !(this instanceof Complete) ? new Cancel() : this;
  }
}
