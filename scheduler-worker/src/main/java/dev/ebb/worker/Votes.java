package dev.ebb.worker;

import dev.ebb.core.Durations;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.circuit.Vote;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.claim.CircuitPass;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells the circuits of destinations how attempts ended.
 *
 * <p>A destination that is well costs nothing: good votes are kept here, and told with the first
 * bad one; every few seconds while they outweigh bad ones; and at once while its circuit waits for
 * one. Bad votes without a response do not count while most destinations fail alike: see {@link
 * OwnFault}.
 *
 * <p>A probe whose vote is lost costs the time that its claim gave it.
 */
final class Votes {
  private final Circuits circuits;
  private final Consumer<String> onReleased;
  private final OwnFault ownFault;
  private final LongSupplier nanoTime;
  private final QueueNews<Kept> news;

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

  QueueNews<?> news() {
    return news;
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
    boolean isUrgent =
        vote == Vote.BAD
            || vote == Vote.GONE
            || asked.isPositive()
            || pass.isProbe()
            || (vote == Vote.GOOD && pass.awaitsGood());
    long now = nanoTime.getAsLong();
    news.add(queue, new Kept(ballot, asked, now, pass.hasBad(), isUrgent));
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

  private void tell(String queue, Kept votes) throws SQLException {
    double random = ThreadLocalRandom.current().nextDouble();
    circuits.tell(queue, votes.ballot, votes.hold, random).forEach(onReleased);
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
