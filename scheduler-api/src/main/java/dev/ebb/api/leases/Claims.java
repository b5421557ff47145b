package dev.ebb.api.leases;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.poll.PolledLeases;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Claims from a queue for the poll whose turn it is, and learns when the queue is ready again. */
final class Claims {
  private static final Patience BRISK =
      new Patience(Duration.ofMillis(200), Duration.ofMillis(500));

  /** For how long a queue is left alone whose claim was too slow. */
  private static final long SLOW_NANOS = Duration.ofMillis(500).toNanos();

  /** Processes that were refused at the same time need not come back at the same time. */
  private static final long JITTER_NANOS = Duration.ofMillis(10).toNanos();

  private final List<String> kinds;
  private final Claimer claimer;
  private final JobQueue jobs;
  private final ReadyTimes queues;

  Claims(List<String> kinds, Claimer claimer, JobQueue jobs, ReadyTimes queues) {
    this.kinds = kinds;
    this.claimer = claimer;
    this.jobs = jobs;
    this.queues = queues;
  }

  /** Claims for the first poll that may have jobs of the queue; answers whether it got some. */
  boolean claim(String queue, List<Waiter> waiting) throws SQLException {
    Optional<Waiter> first =
        waiting.stream()
            .filter(waiter -> waiter.wants(queue) && waiter.held() != Waiter.Held.DRAIN)
            .filter(Waiter::begin)
            .findFirst();
    if (first.isEmpty()) {
      // It stays ready for the next poll.
      return false;
    }
    Waiter waiter = first.get();
    queues.claiming(queue);
    long lease = 0;
    boolean isRepeated = false;
    try {
      lease = lease(queue, waiter);
    } catch (SQLException e) {
      isRepeated = SqlStates.isDuplicate(e);
      if (!isRepeated) {
        failed(queue, e);
      }
    } finally {
      end(waiter, lease, isRepeated);
    }
    return lease != 0;
  }

  private static void end(Waiter waiter, long lease, boolean isRepeated) {
    if (isRepeated) {
      waiter.repeat();
    } else if (lease == 0) {
      waiter.goOn();
    } else {
      waiter.give(lease);
    }
  }

  /** A lock that was not free, or a queue that is slow, keeps no other waiting. */
  private void failed(String queue, SQLException why) throws SQLException {
    queues.close(queue, SLOW_NANOS, false);
    if (!SqlStates.isLocked(why) && !SqlStates.isTooSlow(why)) {
      throw why;
    }
  }

  /** The lease that was claimed; 0 for none. */
  private long lease(String queue, Waiter waiter) throws SQLException {
    Poll poll = waiter.poll();
    ClaimRequest request =
        new ClaimRequest(
            poll.worker().name(),
            kinds,
            poll.lease(),
            PolledLeases.USUAL_TIMEOUT,
            new LinkedHashMap<>(Map.of(queue, poll.most())),
            poll.from());
    ClaimAnswer answer = claimer.claim(request, List.of(), BRISK).get(queue);
    if (answer == null) {
      queues.workArrived(queue);
      return 0;
    }
    answered(queue, waiter, answer);
    Lease lease = answer.lease().orElse(null);
    return lease == null || !hasJobsInTime(lease, waiter) ? 0 : lease.id();
  }

  private void answered(String queue, Waiter waiter, ClaimAnswer answer) {
    boolean isClosed = answer.closedFor().isPositive();
    if (isClosed) {
      long jitter =
          answer.lease().isPresent() ? 0 : ThreadLocalRandom.current().nextLong(JITTER_NANOS);
      queues.close(queue, answer.closedFor().toNanos() + jitter, answer.full());
    } else if (answer.mayHaveMore()) {
      queues.workArrived(queue);
    }
    if (answer.scanIn().isPositive()) {
      queues.later(queue, answer.scanIn());
    }
    Waiter.Held why = answer.full() ? Waiter.Held.FULL : Waiter.Held.LIMIT;
    waiter.hold(isClosed ? why : null);
  }

  /** Ends the jobs that may not start any more, and answers whether others are left. */
  private boolean hasJobsInTime(Lease lease, Waiter waiter) throws SQLException {
    List<FinishedAttempt> late = new ArrayList<>();
    for (ClaimedJob claimed : lease.jobs()) {
      Settlement.tooLate(claimed.job(), lease.claimedAt())
          .ifPresent(outcome -> late.add(ended(claimed, outcome, lease, waiter)));
    }
    boolean isAll = late.size() == lease.jobs().size();
    if (!late.isEmpty()) {
      var _ = jobs.settle(late, isAll ? List.of(lease.id()) : List.of());
    }
    return !isAll;
  }

  private static FinishedAttempt ended(
      ClaimedJob claimed, Outcome outcome, Lease lease, Waiter waiter) {
    Settlement settlement =
        Settlement.decide(claimed.job(), outcome, lease.claimedAt(), ThreadLocalRandom.current());
    return new FinishedAttempt(
        claimed.withoutPayload(),
        outcome,
        settlement,
        waiter.worker(),
        System.nanoTime(),
        Duration.ZERO,
        null);
  }
}
