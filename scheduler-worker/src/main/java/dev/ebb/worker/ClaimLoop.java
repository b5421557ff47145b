package dev.ebb.worker;

import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.start.StartState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the jobs that this node can start, from the queues that have work.
 *
 * <pre>
 *   work arrived ─────┐
 *   look (Poller) ────┤                            ┌── had more ──┐
 *   later claim due ──┼──▶ ready queues ──claim──▶ ┤              │
 *   limit is over ────┤         ▲                  ├── no room ───┼── a slot came free
 *   quick again ──────┘         └──────────────────┼──────────────┘
 *        ▲                                         └── failed, or too slow
 *        └────────────── SlowQueues ◀─────────────────────┘
 * </pre>
 */
final class ClaimLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);

  /** A claim takes a millisecond or two: one that takes longer is for {@link SlowQueues}. */
  private static final Patience BRISK =
      new Patience(Duration.ofMillis(200), Duration.ofMillis(500));

  /** One of several queues waits for no lock; if it takes longer, they are claimed from apart. */
  private static final Patience TOGETHER =
      new Patience(Duration.ofMillis(200), Duration.ofMillis(250));

  /** Of one claim: with more of them it would take longer than jobs should wait. */
  private static final int MOST_QUEUES = 50;

  /** A step ends after this, so that the node can be stopped while there is always work. */
  private static final long STEP_NANOS = Duration.ofMillis(100).toNanos();

  /** Slots that come free at about the same time are filled by one claim. */
  private static final Duration GATHER_SLOTS = Duration.ofMillis(2);

  private final WorkerConfig config;
  private final Claims claims;
  private final LimitedQueues limited;
  private final ReadyQueues ready = new ReadyQueues();
  private final LaterClaims later = new LaterClaims();
  private final Set<String> withoutRoom = new HashSet<>();
  private final SlowQueues slow;
  private final Loop loop;
  private volatile boolean isShortOfSlots;
  private boolean isRehearsed;

  ClaimLoop(
      WorkerConfig config,
      Claims claims,
      LimitedQueues limited,
      Duration longestClaim,
      FailureLog failureLog) {
    this.config = config;
    this.claims = claims;
    this.limited = limited;
    this.slow = new SlowQueues(claims, longestClaim, failureLog, this::found);
    this.loop = new Loop("claimer", failureLog, this::step);
  }

  /** That of the slow queues, and its own. */
  List<Loop> loops() {
    return List.of(slow.loop(), loop);
  }

  /** Somebody submitted to the queue, or it may go on. */
  void workArrived(String queue) {
    if (config.queues() == null || config.queues().contains(queue)) {
      found(queue);
    }
  }

  /** The queue has work; answers whether that is news. */
  boolean found(String queue) {
    boolean isNews = tell(queue);
    if (isNews) {
      loop.wake();
    }
    return isNews;
  }

  private boolean tell(String queue) {
    return !limited.isClosed(queue) && !slow.contains(queue) && ready.tell(queue);
  }

  /** Remembers when a job that this node put back is due, so that it need not be found late. */
  void ownRetryDueIn(Duration delay, String queue) {
    later.in(delay, queue);
    if (delay.compareTo(config.longestPoll()) < 0) {
      loop.wake();
    }
  }

  /** A job ended, and its slot came free. */
  void slotFreed() {
    if (isShortOfSlots) {
      loop.wake();
    }
  }

  /** Has the node claim no more, or again. */
  void drain(boolean draining) {
    if (claims.drain(draining)) {
      LOG.info(draining ? "asked to drain: claims no more" : "asked to claim again");
      loop.wake();
    }
  }

  /** Has the node claim nothing while the cluster's start is paused. */
  void startIs(StartState state) {
    claims.pause(state.isPaused());
    loop.wake();
  }

  private Duration step() throws SQLException, InterruptedException {
    if (!isRehearsed) {
      claims.rehearse();
      isRehearsed = true;
    }
    if (isShortOfSlots) {
      TimeUnit.NANOSECONDS.sleep(GATHER_SLOTS.toNanos());
    }
    // Set before the check: a slot that comes free in between wakes this loop.
    isShortOfSlots = true;
    withoutRoom.forEach(this::tell);
    withoutRoom.clear();
    later.takeDue().forEach(this::tell);
    limited.names().forEach(this::tell);
    boolean isFull = !claimFromReady();
    isShortOfSlots = isFull || !withoutRoom.isEmpty();
    return isFull || ready.isEmpty() ? untilNext() : Duration.ZERO;
  }

  /** Claims for a while; answers whether the node has room left. */
  private boolean claimFromReady() throws SQLException {
    long start = System.nanoTime();
    for (int room = claims.room(); room > 0; room = claims.room()) {
      boolean isOver = System.nanoTime() - start > STEP_NANOS;
      List<String> queues = isOver ? List.of() : ready.next(Math.min(room, MOST_QUEUES));
      if (queues.isEmpty()) {
        return true;
      }
      claimFrom(queues);
    }
    return false;
  }

  private void claimFrom(List<String> told) throws SQLException {
    // A queue may have been told ready while its claim was becoming slow.
    List<String> queues = told.stream().filter(queue -> !slow.contains(queue)).toList();
    if (queues.isEmpty()) {
      return;
    }
    try {
      boolean isAlone = queues.size() == 1;
      claims
          .claim(queues, isAlone ? BRISK : TOGETHER)
          .forEach((queue, came) -> note(queue, came, isAlone));
    } catch (SQLException e) {
      if (SqlStates.isOfTheServer(e)) {
        queues.forEach(ready::tell);
        throw e;
      }
      failed(queues, e);
    } catch (RuntimeException e) {
      failed(queues, e);
    }
  }

  private void note(String queue, Claims.Came came, boolean wasAlone) {
    switch (came.what()) {
      case NO_ROOM -> {
        if (wasAlone) {
          withoutRoom.add(queue);
        } else {
          // The others may have kept room in vain.
          ready.tellAlone(queue);
        }
      }
      case LOCKED -> ready.tellAlone(queue);
      case MAY_HAVE_MORE -> ready.hadMore(queue);
      case NOTHING_MORE -> {
        if (came.scanIn().isPositive()) {
          later.in(came.scanIn(), queue);
        }
      }
    }
  }

  /** One queue of several fails the claim of all: each is claimed from alone, to find it. */
  private void failed(List<String> queues, Exception why) {
    if (queues.size() == 1) {
      slow.add(queues.getFirst(), why);
    } else {
      queues.forEach(ready::tellAlone);
    }
  }

  private Duration untilNext() {
    long nanos = limited.nanosUntilFirst(later.nanosUntilFirst(config.longestPoll().toNanos()));
    return Duration.ofNanos(Math.max(0, nanos));
  }
}
