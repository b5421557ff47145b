package dev.ebb.worker;

import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.circuit.Vote;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.claim.CircuitPass;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the circuits of destinations how attempts ended, each at most five times a second, on a
 * thread of its own.
 *
 * <p>A destination that is well costs nothing: good votes are kept here, and told with the first
 * bad one; every few seconds while they outweigh bad ones; and at once while its circuit waits for
 * one. Bad votes without a response do not count while most destinations fail alike: see {@link
 * OwnFault}.
 *
 * <p>A circuit that cannot be told is told once more, and holds up no other. A probe whose vote is
 * lost costs the time that its claim gave it.
 */
final class Votes {
  private static final String PART = "votes";
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration REST = Duration.ofHours(1);

  /** Good votes that outweigh bad ones may wait for so long. */
  private static final long SOON_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long NEVER = Long.MAX_VALUE;

  private final Circuits circuits;
  private final Consumer<String> onReleased;
  private final FailureLog failureLog;
  private final OwnFault ownFault;
  private final LongSupplier nanoTime;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();
  private final Loop loop;
  private volatile boolean rests;

  /**
   * One that has nothing to tell.
   *
   * @param onReleased told of a queue of which jobs may start that could not until now
   */
  Votes(Circuits circuits, Consumer<String> onReleased, FailureLog failureLog) {
    this(circuits, onReleased, failureLog, System::nanoTime);
  }

  Votes(
      Circuits circuits,
      Consumer<String> onReleased,
      FailureLog failureLog,
      LongSupplier nanoTime) {
    this.circuits = circuits;
    this.onReleased = onReleased;
    this.failureLog = failureLog;
    this.nanoTime = nanoTime;
    this.ownFault = new OwnFault(nanoTime);
    this.loop = new Loop(PART, failureLog, this::step);
  }

  Loop loop() {
    return loop;
  }

  /** An attempt ended. */
  void add(FinishedAttempt settled) {
    CircuitPass pass = settled.claimed().pass();
    if (pass == null) {
      return;
    }
    String queue = settled.claimed().job().queue();
    Outcome outcome = settled.outcome();
    Failure failure = outcome.failure();
    Vote vote = pass.delivers() ? vote(queue, outcome) : Vote.NONE;
    Ballot ballot =
        Ballot.of(
            pass.epoch(),
            vote,
            settled.claimed().job().id(),
            failure == null ? null : failure.reason());
    Duration asked = pass.delivers() ? asked(outcome) : Duration.ZERO;
    boolean tells =
        vote == Vote.BAD
            || vote == Vote.GONE
            || asked.isPositive()
            || pass.isProbe()
            || (vote == Vote.GOOD && pass.awaitsGood());
    long now = nanoTime.getAsLong();
    Kept votes =
        kept.compute(
            queue,
            (_, before) ->
                Kept.of(before, ballot, now)
                    .plus(ballot, asked, tells, pass.hasBad() ? SOON_NANOS : NEVER, now));
    if (votes.urgent && rests) {
      loop.wake();
    }
  }

  private static Duration asked(Outcome outcome) {
    return outcome instanceof Outcome.Throttled throttled ? throttled.retryAfter() : Duration.ZERO;
  }

  private Vote vote(String queue, Outcome outcome) {
    Vote vote = Vote.of(outcome);
    Failure failure = outcome.failure();
    boolean unreached = failure != null && Vote.isUnreached(failure.reason());
    if (vote == Vote.GOOD || vote == Vote.BAD || Vote.isAnswered(failure)) {
      ownFault.ended(queue, unreached);
    }
    return vote == Vote.BAD && unreached && ownFault.isLikely() ? Vote.NEUTRAL : vote;
  }

  private Duration step() {
    // Set before the check: a caller that comes after the check finds it resting, and wakes it.
    rests = true;
    return tellUrgent() ? PAUSE : REST;
  }

  /** Tells what must be told, before a node ends. */
  void flush() {
    tellUrgent();
  }

  private boolean tellUrgent() {
    boolean told = false;
    for (Map.Entry<String, Kept> one : Map.copyOf(kept).entrySet()) {
      Kept votes = one.getValue();
      if (votes.urgent && kept.remove(one.getKey(), votes)) {
        told = true;
        rests = false;
        tell(one.getKey(), votes);
      }
    }
    return told;
  }

  private void tell(String queue, Kept votes) {
    String what = "queue " + queue;
    try {
      double random = ThreadLocalRandom.current().nextDouble();
      circuits.tell(queue, votes.ballot, votes.hold, random).forEach(onReleased);
      failureLog.recovered(PART, what);
    } catch (SQLException e) {
      failureLog.failed(PART, what, e);
      if (!votes.again) {
        kept.putIfAbsent(queue, votes.onceMore());
      }
    }
  }

  /**
   * The votes of one epoch that were not told.
   *
   * @param hold how long the destination asked to be left alone
   * @param sinceNanos when the first came
   * @param urgent whether they must be told
   * @param again whether that failed once
   */
  private record Kept(
      Ballot ballot, Duration hold, long sinceNanos, boolean urgent, boolean again) {
    /** Good votes that are older outweigh nothing any more. */
    private static final long OLD_NANOS = Duration.ofMinutes(1).toNanos();

    /** What later votes are added to. */
    static Kept of(@Nullable Kept before, Ballot later, long now) {
      boolean isFresh =
          before != null
              && before.ballot.epoch() >= later.epoch()
              && (before.urgent || now - before.sinceNanos <= OLD_NANOS);
      return before != null && isFresh
          ? before
          : new Kept(Ballot.none(later.epoch()), Duration.ZERO, now, false, false);
    }

    Kept plus(Ballot later, Duration asked, boolean tells, long soonNanos, long now) {
      if (later.epoch() < ballot.epoch()) {
        return this;
      }
      boolean isDue = now - sinceNanos >= soonNanos;
      return new Kept(
          ballot.plus(later),
          asked.compareTo(hold) > 0 ? asked : hold,
          sinceNanos,
          urgent || tells || isDue,
          again);
    }

    Kept onceMore() {
      return new Kept(ballot, hold, sinceNanos, urgent, true);
    }
  }
}
