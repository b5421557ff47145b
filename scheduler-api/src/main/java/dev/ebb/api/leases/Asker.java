package dev.ebb.api.leases;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.poll.PollWork;
import dev.ebb.db.poll.PolledLeases;
import dev.ebb.db.poll.Pollers;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Claims for the polls of the same kinds, for each in its turn.
 *
 * <pre>
 *   a notification ───┐
 *   a look ───────────┼──▶ ready queues ──claim for the first poll that wants it──▶ its lease
 *   limit is over ────┤         ▲                  │
 *   had more ─────────┘         └──────────────────┘
 * </pre>
 *
 * <p>A look tells of what no notification told. It comes every second while polls wait, when the
 * next job becomes due, and for a queue that was not looked at for so long.
 */
final class Asker {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration REST = Duration.ofHours(1);
  private static final Duration STANDINGS_EVERY = Duration.ofSeconds(5);
  private static final Patience BRISK =
      new Patience(Duration.ofMillis(200), Duration.ofMillis(500));

  /** For how long a queue is left alone whose claim was too slow. */
  private static final long SLOW_NANOS = Duration.ofMillis(500).toNanos();

  /** Processes that were refused at the same time need not come back at the same time. */
  private static final long JITTER_NANOS = Duration.ofMillis(10).toNanos();

  private final List<String> kinds;
  private final BooleanSupplier isStartPaused;
  private final JobQueue jobs;
  private final Pollers pollers;
  private final Claimer claimer;
  private final WorkFinder finder;
  private final ReadyTimes queues = new ReadyTimes(System::nanoTime);
  private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
  private final Loop loop;
  private WorkFinder.Place place = WorkFinder.Place.BEGINNING;
  private volatile boolean mustAskStandings = true;
  private volatile boolean resting = true;
  private long askedNanos = System.nanoTime();
  private volatile long usedNanos = System.nanoTime();

  Asker(
      List<String> kinds,
      PollWork work,
      JobQueue jobs,
      Pollers pollers,
      BooleanSupplier isStartPaused,
      FailureLog failureLog) {
    this.kinds = kinds;
    this.jobs = jobs;
    this.pollers = pollers;
    this.isStartPaused = isStartPaused;
    this.claimer = work.claimer();
    this.finder = work.finder();
    this.loop = new Loop("asker", failureLog, this::step);
    loop.start();
  }

  /** Has it claim for the poll until that waits no more. */
  void add(Waiter waiter) {
    waiters.add(waiter);
    usedNanos = System.nanoTime();
    List<String> wanted = waiter.poll().worker().queues();
    if (waiter.isInHurry()) {
      wanted.forEach(queues::workArrived);
    }
    if (resting || waiter.isInHurry() || queues.mayBeReadySoon(wanted)) {
      loop.wake();
    }
  }

  void remove(Waiter waiter) {
    waiters.remove(waiter);
    usedNanos = System.nanoTime();
  }

  /** Whether no poll has waited for that long. */
  boolean isUnusedFor(Duration length) {
    return waiters.isEmpty() && System.nanoTime() - usedNanos > length.toNanos();
  }

  /** Somebody submitted to the queue, or jobs of it may go on. */
  void workArrived(String queue) {
    if (queues.workArrived(queue)) {
      loop.wake();
    }
  }

  /** Jobs of the queue have ended: it may have room. */
  void ended(String queue) {
    if (queues.ended(queue)) {
      loop.wake();
    }
  }

  /** People asked a worker to drain, or one has stopped. */
  void asked() {
    mustAskStandings = true;
    loop.wake();
  }

  /** Notifications may have been lost. */
  void lookAnew() {
    queues.forgetLooks();
    loop.wake();
  }

  private Duration step() throws SQLException {
    // Said first: a poll that comes now wakes it, or is among the waiters.
    resting = true;
    List<Waiter> waiting = List.copyOf(waiters);
    if (waiting.isEmpty()) {
      return REST;
    }
    resting = false;
    askStandings(waiting);
    if (isStartPaused.getAsBoolean()) {
      waiting.forEach(waiter -> waiter.hold(Waiter.Held.START_PAUSED));
      waiting.forEach(Waiter::tried);
      return LOOK_EVERY;
    }
    Set<String> wanted = new LinkedHashSet<>();
    waiting.forEach(waiter -> wanted.addAll(waiter.poll().worker().queues()));
    if (queues.isLookDue(wanted)) {
      look(wanted);
    }
    boolean gaveSome = false;
    for (String queue : queues.ready(wanted)) {
      gaveSome |= claim(queue, waiting);
    }
    if (gaveSome) {
      return Duration.ZERO;
    }
    waiting.forEach(Waiter::tried);
    return queues.untilNext(wanted, LOOK_EVERY);
  }

  /** Learns who of them is to drain, or has stopped. */
  private void askStandings(List<Waiter> waiting) throws SQLException {
    long now = System.nanoTime();
    if (!mustAskStandings && now - askedNanos < STANDINGS_EVERY.toNanos()) {
      return;
    }
    mustAskStandings = false;
    askedNanos = now;
    Map<String, Pollers.Standing> standings =
        pollers.standings(waiting.stream().map(Waiter::worker).distinct().toList());
    for (Waiter waiter : waiting) {
      Pollers.Standing standing = standings.get(waiter.worker());
      if (standing != null && standing.stopped()) {
        waiter.stop(Waiter.Held.STOPPED);
      } else if (standing != null && standing.draining()) {
        waiter.hold(Waiter.Held.DRAIN);
      } else if (waiter.held() == Waiter.Held.DRAIN) {
        waiter.hold(null);
      }
    }
  }

  private void look(Set<String> wanted) throws SQLException {
    queues.looking(wanted);
    try {
      WorkFinder.Found found =
          finder.find(
              kinds,
              List.copyOf(wanted),
              place.fromTheFirst(),
              Integer.MAX_VALUE,
              LOOK_EVERY.multipliedBy(2));
      place = found.next();
      queues.found(found.queues(), found.untilNext());
    } catch (SQLException e) {
      queues.forgetLooks();
      throw e;
    }
  }

  /** Claims for the first poll that may have jobs of the queue; answers whether it got some. */
  private boolean claim(String queue, List<Waiter> waiting) throws SQLException {
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

  /** Has every poll wait no longer. */
  void stop() {
    loop.stop();
    waiters.forEach(waiter -> waiter.stop(null));
  }
}
