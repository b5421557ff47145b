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
 * bad one, or while its circuit counts them. Bad votes without a response are not told while most
 * destinations fail alike: see {@link OwnFault}.
 *
 * <p>A circuit that cannot be told is left out, and holds up no other: the next vote is told. A
 * probe whose vote is lost costs the time that its claim gave it.
 */
final class Votes {
  private static final String PART = "votes";
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration REST = Duration.ofHours(1);

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
   * @param onReleased told of a queue of which jobs may start that its circuit kept until now
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
    Vote vote = pass.delivers() ? vote(queue, outcome) : Vote.NONE;
    Duration hold =
        pass.delivers() && outcome instanceof Outcome.Throttled t ? t.retryAfter() : null;
    Kept now =
        kept.compute(
            queue,
            (_, before) ->
                (before == null ? Kept.NONE : before)
                    .plus(pass, vote, settled, hold, nanoTime.getAsLong()));
    if (now.urgent && rests) {
      loop.wake();
    }
  }

  private Vote vote(String queue, Outcome outcome) {
    Vote vote = Vote.of(outcome);
    Failure failure = outcome.failure();
    boolean unreached = failure != null && Vote.isUnreached(failure.reason());
    if (vote != Vote.NONE) {
      ownFault.ended(queue, unreached);
    }
    return vote == Vote.BAD && unreached && ownFault.isLikely() ? Vote.NONE : vote;
  }

  private Duration step() {
    // Set before the check: a caller that comes after the check finds it resting, and wakes it.
    rests = true;
    boolean none = true;
    for (Map.Entry<String, Kept> one : kept.entrySet()) {
      if (one.getValue().urgent && kept.remove(one.getKey(), one.getValue())) {
        none = false;
        rests = false;
        tell(one.getKey(), one.getValue());
      }
    }
    return none ? REST : PAUSE;
  }

  private void tell(String queue, Kept votes) {
    String what = "queue " + queue;
    try {
      double random = ThreadLocalRandom.current().nextDouble();
      if (circuits.tell(queue, votes.ballot(), votes.hold(), random)) {
        onReleased.accept(queue);
      }
      failureLog.recovered(PART, what);
    } catch (SQLException e) {
      failureLog.failed(PART, what, e);
    }
  }

  /**
   * The votes of one epoch that were not told.
   *
   * @param lastBad the job of the last bad one
   * @param hold how long the destination asked to be left alone
   * @param sinceNanos when the first came
   * @param urgent whether they must be told
   */
  private record Kept(
      Ballot ballot,
      @Nullable Object lastBad,
      @Nullable Duration hold,
      long sinceNanos,
      boolean urgent) {
    static final Kept NONE =
        new Kept(new Ballot(Long.MIN_VALUE, 0, 0, 0, null), null, null, 0, false);

    /** Good votes that are older outweigh nothing any more. */
    private static final long OLD_NANOS = Duration.ofMinutes(1).toNanos();

    Kept plus(
        CircuitPass pass,
        Vote vote,
        FinishedAttempt settled,
        @Nullable Duration asked,
        long nanos) {
      boolean isOld = !urgent && nanos - sinceNanos > OLD_NANOS;
      if (pass.epoch() < ballot.epoch() && !isOld) {
        return this;
      }
      Kept base =
          pass.epoch() > ballot.epoch() || isOld
              ? new Kept(new Ballot(pass.epoch(), 0, 0, 0, null), null, null, nanos, false)
              : this;
      return base.with(pass, vote, settled, asked);
    }

    private Kept with(
        CircuitPass pass, Vote vote, FinishedAttempt settled, @Nullable Duration asked) {
      Object job = settled.claimed().job().id();
      boolean isBad = vote == Vote.BAD;
      Failure failure = settled.outcome().failure();
      Ballot after =
          ballot.plus(
              Ballot.of(ballot.epoch(), vote, failure == null ? null : failure.reason()),
              isBad && job.equals(lastBad));
      boolean tells =
          isBad || asked != null || pass.isProbe() || (pass.counts() && vote != Vote.NONE);
      return new Kept(
          after,
          isBad ? job : vote == Vote.GOOD ? null : lastBad,
          asked == null ? hold : asked,
          sinceNanos,
          urgent || tells);
    }
  }
}
