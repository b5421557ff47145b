package dev.ebb.worker;

import dev.ebb.core.Durations;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.circuit.Vote;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.claim.CircuitPass;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the circuits of destinations how attempts ended.
 *
 * <p>A destination that is well costs nothing: good votes are kept here, and told with the first
 * bad one; every few seconds while they outweigh bad ones; and at once while its circuit waits for
 * one. Bad votes without a response do not count while most destinations fail alike, and wait with
 * the next attempt's end while that is unclear: see {@link OwnFault}.
 *
 * <p>A probe whose vote is lost costs the time that its claim gave it.
 */
final class Votes {
  private final Circuits circuits;
  private final Consumer<String> onReleased;
  private final OwnFault ownFault;
  private final LongSupplier nanoTime;
  private final QueueNews<Kept> news;
  private final Queue<Ended> unclear = new ConcurrentLinkedQueue<>();

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
    this.nanoTime = nanoTime;
    this.ownFault = new OwnFault(nanoTime);
    this.news = new QueueNews<>("votes", failureLog, Kept::plus, Kept::urgent, this::tell);
  }

  /** Whether this node suspects its own network or resolver. */
  boolean suspectsNetwork() {
    return ownFault.verdict() == OwnFault.Verdict.OWN;
  }

  QueueNews<?> news() {
    return news;
  }

  /** An attempt ended. */
  void add(FinishedAttempt settled) {
    CircuitPass pass = settled.claimed().pass();
    if (pass == null) {
      return;
    }
    Ended ended = Ended.of(settled, pass);
    if (!pass.delivers()) {
      add(ended, Vote.NONE);
      return;
    }
    Vote vote = Vote.of(settled.outcome());
    boolean isUnreached = isUnreached(settled.outcome());
    if (vote == Vote.GOOD || vote == Vote.BAD || Vote.isAnswered(settled.outcome().failure())) {
      ownFault.ended(ended.queue, isUnreached);
    }
    if (vote == Vote.BAD && isUnreached) {
      unclear.add(ended);
    } else {
      add(ended, vote);
    }
    addUnclear();
  }

  private static boolean isUnreached(Outcome outcome) {
    Failure failure = outcome.failure();
    return failure != null && Vote.isUnreached(failure.reason());
  }

  /** Those whose destinations did not answer, once it is known whose fault that is. */
  private void addUnclear() {
    while (!unclear.isEmpty()) {
      OwnFault.Verdict verdict = ownFault.verdict();
      Ended ended = verdict == OwnFault.Verdict.UNCLEAR ? null : unclear.poll();
      if (ended == null) {
        return;
      }
      add(ended, verdict == OwnFault.Verdict.OWN ? Vote.NEUTRAL : Vote.BAD);
    }
  }

  private void add(Ended ended, Vote vote) {
    CircuitPass pass = ended.pass;
    boolean isUrgent =
        vote == Vote.BAD
            || vote == Vote.GONE
            || ended.asked.isPositive()
            || pass.isProbe()
            || (vote == Vote.GOOD && pass.awaitsGood());
    Ballot ballot = Ballot.of(pass.epoch(), vote, ended.job, ended.reason);
    long now = nanoTime.getAsLong();
    news.add(ended.queue, new Kept(ballot, ended.asked, now, pass.hasBad(), isUrgent));
  }

  private void tell(String queue, Kept votes) throws SQLException {
    double random = ThreadLocalRandom.current().nextDouble();
    circuits.tell(queue, votes.ballot, votes.hold, random).forEach(onReleased);
  }

  /**
   * How an attempt ended, but for its vote.
   *
   * @param reason of its failure; {@code null} if it succeeded
   * @param asked how long the destination asked to be left alone
   */
  private record Ended(
      String queue, CircuitPass pass, UUID job, @Nullable String reason, Duration asked) {
    static Ended of(FinishedAttempt settled, CircuitPass pass) {
      Job job = settled.claimed().job();
      Failure failure = settled.outcome().failure();
      Duration asked =
          pass.delivers() && settled.outcome() instanceof Outcome.Throttled throttled
              ? throttled.retryAfter()
              : Duration.ZERO;
      return new Ended(
          job.queue(), pass, job.id(), failure == null ? null : failure.reason(), asked);
    }
  }

  /**
   * The votes of one epoch that were not told.
   *
   * @param hold how long the destination asked to be left alone
   * @param sinceNanos when the first came
   * @param hasBad whether they may outweigh bad ones that were told
   * @param urgent whether they must be told
   */
  private record Kept(
      Ballot ballot, Duration hold, long sinceNanos, boolean hasBad, boolean urgent) {
    /** Good votes that outweigh bad ones may wait for so long. */
    private static final long SOON_NANOS = Duration.ofSeconds(3).toNanos();

    /** Good votes that are older outweigh nothing any more. */
    private static final long OLD_NANOS = Duration.ofMinutes(1).toNanos();

    /** Together with later ones; those of an earlier epoch do not count. */
    Kept plus(Kept later) {
      if (later.ballot.epoch() < ballot.epoch()) {
        return this;
      }
      long nanos = later.sinceNanos - sinceNanos;
      if (later.ballot.epoch() > ballot.epoch() || (!urgent && nanos > OLD_NANOS)) {
        return later;
      }
      return new Kept(
          ballot.plus(later.ballot),
          Durations.max(hold, later.hold),
          sinceNanos,
          later.hasBad,
          urgent || later.urgent || (later.hasBad && nanos >= SOON_NANOS));
    }
  }
}
