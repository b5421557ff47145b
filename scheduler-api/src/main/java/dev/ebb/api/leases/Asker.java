package dev.ebb.api.leases;

import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.poll.PollWork;
import dev.ebb.db.poll.Pollers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Finds which queues have jobs for the polls of the same kinds, and claims for each in its turn.
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

  private final List<String> kinds;
  private final BooleanSupplier isStartPaused;
  private final Pollers pollers;
  private final WorkFinder finder;
  private final ReadyTimes queues = new ReadyTimes(System::nanoTime);
  private final Claims claims;
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
    this.pollers = pollers;
    this.isStartPaused = isStartPaused;
    this.finder = work.finder();
    this.claims = new Claims(kinds, work.claimer(), jobs, queues);
    this.loop = new Loop("asker", failureLog, this::step);
    loop.start();
  }

  /** Has it claim for the poll until that waits no more. */
  void add(Waiter waiter) {
    waiters.add(waiter);
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
    touch();
  }

  /** Has it count as used now. */
  void touch() {
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
      gaveSome |= claims.claim(queue, waiting);
    }
    if (gaveSome) {
      return Duration.ZERO;
    }
    waiting.forEach(Waiter::tried);
    return queues.untilNext(wanted, LOOK_EVERY);
  }

  /** Writes that they live, and learns who of them is to drain, or has stopped. */
  private void askStandings(List<Waiter> waiting) throws SQLException {
    long now = System.nanoTime();
    if (!mustAskStandings && now - askedNanos < STANDINGS_EVERY.toNanos()) {
      return;
    }
    mustAskStandings = false;
    askedNanos = now;
    Map<String, Pollers.Standing> standings =
        pollers.standings(
            waiting.stream()
                .map(waiter -> new Pollers.Named(waiter.worker(), waiter.poll().from().holder()))
                .collect(Collectors.toUnmodifiableSet()));
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

  /** Has every poll wait no longer. */
  void stop() {
    loop.stop();
    waiters.forEach(waiter -> waiter.stop(null));
  }
}
