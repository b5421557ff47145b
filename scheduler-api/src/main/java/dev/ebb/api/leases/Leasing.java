package dev.ebb.api.leases;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.poll.Ending;
import dev.ebb.db.poll.PolledLease;
import dev.ebb.db.poll.PolledLeases;
import dev.ebb.db.poll.PolledSettle;
import dev.ebb.db.poll.Pollers;
import dev.ebb.db.poll.Renewal;
import dev.ebb.db.poll.Settled;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What workers that poll may do: poll, renew, settle, stop. */
public final class Leasing {
  private static final Logger LOG = LoggerFactory.getLogger(Leasing.class);

  private final Pollers pollers;
  private final Arrivals arrivals;
  private final PolledLeases leases;
  private final PolledSettle settling;
  private final Limiters limiters;
  private final Notifier notifier;
  private final Askers askers;

  Leasing(
      Pollers pollers,
      PolledLeases leases,
      PolledSettle settling,
      Limiters limiters,
      Notifier notifier,
      Askers askers) {
    this.pollers = pollers;
    this.arrivals = new Arrivals(pollers);
    this.leases = leases;
    this.settling = settling;
    this.limiters = limiters;
    this.notifier = notifier;
    this.askers = askers;
  }

  /**
   * What a poll came to.
   *
   * @param lease {@code null} for nothing
   * @param held what kept jobs from it; {@code null} if no reason is known
   */
  record Polled(@Nullable PolledLease lease, Waiter.@Nullable Held held) {}

  /**
   * Waits for jobs.
   *
   * @param hasHungUp whether nobody waits for the answer any more
   */
  Polled poll(Poll poll, BooleanSupplier hasHungUp) throws SQLException, InterruptedException {
    Pollers.Seen seen = seen(poll);
    if (seen.standing().stopped()) {
      return new Polled(null, Waiter.Held.STOPPED);
    }
    Optional<PolledLease> before = findAgain(seen.lease(), poll);
    if (before.isPresent()) {
      return new Polled(before.get(), null);
    }
    Waiter waiter = new Waiter(poll, hasHungUp);
    waiter.hold(seen.standing().draining() ? Waiter.Held.DRAIN : null);
    Waiter.Given given = askers.await(waiter);
    if (given == null) {
      return new Polled(null, waiter.held());
    }
    Optional<PolledLease> lease =
        given == Waiter.Given.LEASE
            ? leases.find(waiter.lease(), poll.from().holder())
            : findAgain(seen(poll).lease(), poll);
    return new Polled(lease.orElse(null), null);
  }

  private Pollers.Seen seen(Poll poll) throws SQLException {
    Pollers.Seen seen = arrivals.seen(new Pollers.Poller(poll.worker(), poll.from()));
    if (seen.taken()) {
      throw Refusal.of(
          ProblemCode.WORKER_NAME_TAKEN,
          "The name "
              + poll.worker().name()
              + " is in use by a node, or by a worker with another token. Choose another name, or"
              + " poll again a minute after that worker has ended.");
    }
    return seen;
  }

  /**
   * The lease of a poll that is repeated. It is renewed, so that nothing of it is given back where
   * the first answer fails later.
   */
  private Optional<PolledLease> findAgain(@Nullable Long lease, Poll poll) throws SQLException {
    if (lease == null) {
      return Optional.empty();
    }
    String holder = poll.from().holder();
    boolean isRenewed =
        renew(poll.worker().name(), List.of(lease), holder, null).expiresAt().containsKey(lease);
    return isRenewed ? leases.find(lease, holder) : Optional.empty();
  }

  Renewal renew(String worker, Collection<Long> asked, String holder, @Nullable String progress)
      throws SQLException {
    return leases.renew(worker, asked, holder, progress);
  }

  Settled settle(List<Ending> endings, String holder) throws SQLException {
    Settled settled = settling.settle(endings, holder);
    throttle(settled.written());
    free(settled.written());
    return settled;
  }

  /** Gives back the jobs of a lease that its worker was not told of. */
  void giveBack(PolledLease lease, String holder) throws SQLException {
    free(settling.giveBack(lease, holder).written());
  }

  void stop(String worker, String holder) throws SQLException {
    if (pollers.stop(worker, holder)) {
      askers.asked();
      notifier.drainChanged();
    }
  }

  /** Tells the limiters of attempts that were throttled; one that is locked goes without. */
  private void throttle(List<FinishedAttempt> written) {
    Map<String, Instant> latest = new HashMap<>();
    for (FinishedAttempt attempt : written) {
      if (attempt.outcome() instanceof Outcome.Throttled) {
        ClaimedJob claimed = attempt.claimed();
        latest.merge(
            claimed.job().queue(),
            claimed.claimedAt(),
            (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    latest.forEach((queue, claimedAt) -> {
      try {
        limiters.throttled(queue, claimedAt);
      } catch (SQLException e) {
        LOG.warn(
            "the limiter of {} was not told that jobs were throttled: {}",
            queue,
            SqlStates.words(e));
      }
    });
  }

  /**
   * Has polls here look at the queues that have room now, and all workers at what was given back.
   */
  private void free(List<FinishedAttempt> written) {
    Set<String> queues = new HashSet<>();
    Set<String> everywhere = new HashSet<>();
    for (FinishedAttempt attempt : written) {
      String queue = attempt.claimed().job().queue();
      queues.add(queue);
      if (attempt.settlement() instanceof Settlement.GiveBack || attempt.freesItsKey()) {
        everywhere.add(queue);
      }
    }
    queues.forEach(askers::freed);
    everywhere.forEach(notifier::workArrived);
  }
}
