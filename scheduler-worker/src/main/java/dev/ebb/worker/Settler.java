package dev.ebb.worker;

import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.loop.Pause;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.SettleResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes settlements in batches: whatever gathered while the last batch was under way is the next.
 *
 * <pre>
 *   waiting ──gather──▶ parts ──write──▶ database
 *                        ▲ ▲               │ refused, or too slow: halves, down to the one job
 *                        │ └───────────────┤
 *                        └── locked out ◀──┘ somebody has locked a job: that one alone, later
 * </pre>
 *
 * <p>What is not written may have to be done again by another node, so little of it may wait:
 * {@link JobExecutor} counts {@link #unwritten} against the node's slots, and claims nothing while
 * {@link #isBehind}. A batch that cannot be written is tried until it can: the fence makes that
 * safe.
 */
final class Settler {
  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
  private static final String PART = "settler";
  private static final String LEFT = "jobs left for later";
  private static final int MOST_PER_BATCH = 1_000;

  /** More than this many make their handlers' threads wait. */
  private static final int MOST_WAITING = 1_500;

  /**
   * From this many on, no more of a queue is claimed; those that were claimed before come on top.
   */
  private static final int MOST_LOCKED_PER_QUEUE = 150;

  /** One queue alone cannot have this many. */
  private static final int MOST_LOCKED = 5_000;

  private static final Duration IDLE_WAIT = Duration.ofMillis(200);
  private static final long BEHIND_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Settlements that are written together.
   *
   * @param unlocked whether those whose jobs somebody has locked are left out
   * @param refused whether it is one job, which was refused alone
   */
  private record Part(List<FinishedAttempt> jobs, boolean unlocked, boolean refused) {
    static Part of(List<FinishedAttempt> jobs) {
      return new Part(jobs, false, false);
    }

    Part unlockedOnly() {
      return new Part(jobs, true, refused);
    }

    Part again() {
      return new Part(jobs, unlocked, true);
    }

    List<Part> halves() {
      int middle = jobs.size() / 2;
      return List.of(
          new Part(List.copyOf(jobs.subList(0, middle)), unlocked, false),
          new Part(List.copyOf(jobs.subList(middle, jobs.size())), unlocked, false));
    }
  }

  private final JobQueue jobs;
  private final Leases leases;
  private final Consumer<FinishedAttempt> onWritten;
  private final Runnable onRoom;
  private final Meters meters;
  private final FailureLog failureLog;
  private final BlockingQueue<FinishedAttempt> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Deque<Part> parts = new ArrayDeque<>();
  private final LockedOut lockedOut = new LockedOut();
  private final AtomicInteger unwritten = new AtomicInteger();
  private volatile @Nullable FinishedAttempt underWay;
  private final Loop loop;

  Settler(
      JobQueue jobs,
      Leases leases,
      Consumer<FinishedAttempt> onWritten,
      Runnable onRoom,
      Meters meters,
      FailureLog failureLog) {
    this.jobs = jobs;
    this.leases = leases;
    this.onWritten = onWritten;
    this.onRoom = onRoom;
    this.meters = meters;
    this.failureLog = failureLog;
    this.loop = new Loop(PART, failureLog, this::step);
  }

  Loop loop() {
    return loop;
  }

  /** Hands over a settlement; waits while too many wait already. */
  void add(FinishedAttempt settled) {
    unwritten.incrementAndGet();
    boolean interrupted = false;
    while (true) {
      try {
        waiting.put(settled);
        break;
      } catch (InterruptedException e) {
        // Nothing may get lost here; the interrupt was meant for the handler.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hands over a settlement unless too many wait already. */
  boolean offer(FinishedAttempt settled) {
    unwritten.incrementAndGet();
    boolean taken = waiting.offer(settled);
    if (!taken) {
      unwritten.decrementAndGet();
    }
    return taken;
  }

  /** Whether somebody has locked so many of the queue's jobs that no more of them should run. */
  boolean isLockedOut(String queue) {
    return lockedOut.of(queue) >= MOST_LOCKED_PER_QUEUE;
  }

  /** How many settlements are not written, but for those whose jobs somebody has locked. */
  int unwritten() {
    return Math.max(0, unwritten.get() - lockedOut.size());
  }

  /** Whether a settlement has waited for over a second, though nobody has locked its job. */
  boolean isBehind() {
    FinishedAttempt first = underWay;
    FinishedAttempt oldest = first == null ? waiting.peek() : first;
    return oldest != null && oldest.sinceEnd().toNanos() > BEHIND_NANOS;
  }

  private Duration step() throws SQLException, InterruptedException {
    if (parts.isEmpty()) {
      List<FinishedAttempt> due = lockedOut.due(MOST_PER_BATCH);
      if (!due.isEmpty()) {
        parts.add(Part.of(due).unlockedOnly());
      }
      gather();
    }
    if (!parts.isEmpty()) {
      write(parts.element());
    }
    if (parts.isEmpty() && underWay != null) {
      underWay = null;
      onRoom.run();
    }
    return Duration.ZERO;
  }

  private void gather() throws InterruptedException {
    long patience = lockedOut.isEmpty() ? IDLE_WAIT.toNanos() : Pause.SHORTEST.toNanos();
    if (lockedOut.size() >= MOST_LOCKED) {
      TimeUnit.NANOSECONDS.sleep(patience);
      return;
    }
    FinishedAttempt first = waiting.poll(parts.isEmpty() ? patience : 0, TimeUnit.NANOSECONDS);
    if (first != null) {
      List<FinishedAttempt> batch = new ArrayList<>();
      batch.add(first);
      waiting.drainTo(batch, MOST_PER_BATCH - 1);
      parts.add(Part.of(batch));
      underWay = first;
    }
  }

  /** Writes the first part, and removes it or puts smaller ones in its place. */
  private void write(Part part) throws SQLException {
    try {
      settle(part);
      parts.remove();
    } catch (SQLException e) {
      writeOtherwise(part, e);
    }
  }

  private void writeOtherwise(Part part, SQLException refused) throws SQLException {
    boolean isTooSlow = SqlStates.isTooSlow(refused);
    boolean isLocked = SqlStates.isLocked(refused);
    if (isLocked && !part.unlocked()) {
      parts.remove();
      parts.addFirst(part.unlockedOnly());
    } else if (!SqlStates.isOfTheRows(refused) && !isTooSlow && !isLocked) {
      throw refused;
    } else if (part.jobs().size() > 1) {
      parts.remove();
      part.halves().reversed().forEach(parts::addFirst);
    } else if (isTooSlow || isLocked) {
      leaveForLater(part.jobs(), refused);
      parts.remove();
    } else if (!part.refused()) {
      // A row that comes while the partition of its day is made is refused once.
      parts.remove();
      parts.addFirst(part.again());
    } else {
      writeLastly(part.jobs().getFirst(), refused);
      parts.remove();
    }
  }

  private void done(
      List<FinishedAttempt> written, List<FinishedAttempt> refused, Collection<Long> ended) {
    leases.drop(ended);
    lockedOut.remove(written);
    meters.settled(written, refused);
    written.forEach(onWritten);
    unwritten.addAndGet(-written.size());
  }

  /** A job that somebody has locked is left for later, and keeps no other waiting. */
  private void settle(Part part) throws SQLException {
    Set<Long> ended = leases.handOver(part.jobs());
    SettleResult written;
    try {
      written =
          part.unlocked()
              ? jobs.settleUnlocked(part.jobs(), ended)
              : new SettleResult(jobs.settle(part.jobs(), ended), List.of());
    } catch (Throwable e) {
      leases.takeBack(part.jobs());
      throw e;
    }
    // An empty set that was copied answers without a hash of every settlement.
    Set<FinishedAttempt> locked = Set.copyOf(written.locked());
    leases.takeBack(locked);
    locked.forEach(settled -> ended.remove(settled.claimed().fencingToken()));
    List<FinishedAttempt> free =
        part.jobs().stream().filter(settled -> !locked.contains(settled)).toList();
    done(free, written.refused(), ended);
    if (!locked.isEmpty()) {
      leaveForLater(
          written.locked(), new SQLException("somebody else has locked it", SqlStates.LOCKED));
    } else if (lockedOut.isEmpty()) {
      failureLog.recovered(PART, LEFT);
    }
  }

  private void leaveForLater(List<FinishedAttempt> jobs, SQLException why) {
    lockedOut.add(jobs);
    String others = jobs.size() == 1 ? "" : " and " + (jobs.size() - 1) + " others";
    String message = name(jobs.getFirst()) + others + ": " + why.getMessage();
    failureLog.failed(PART, LEFT, new SQLException(message, why.getSQLState()));
  }

  /**
   * Settles the job without its detail; if even that fails, its lease is left to expire, so that a
   * rescue counts the attempt.
   */
  private void writeLastly(FinishedAttempt settled, SQLException why) throws SQLException {
    List<FinishedAttempt> one = List.of(settled);
    Set<Long> ended = leases.handOver(one);
    try {
      done(one, jobs.settle(List.of(settled.withoutDetail()), ended), ended);
    } catch (SQLException e) {
      if (SqlStates.isOfTheRows(e)) {
        e.addSuppressed(why);
        leaveToRescue(settled, ended, e);
        return;
      }
      leases.takeBack(one);
      if (!SqlStates.isLocked(e)) {
        throw e;
      }
      leaveForLater(one, e);
    }
  }

  private void leaveToRescue(FinishedAttempt settled, Collection<Long> ended, SQLException why) {
    LOG.error("settler: {} cannot be settled: {}", name(settled), SqlStates.words(why), why);
    leases.leaveToExpire(settled.claimed().fencingToken());
    leases.drop(ended);
    lockedOut.remove(List.of(settled));
    unwritten.decrementAndGet();
  }

  private static String name(FinishedAttempt settled) {
    return "job " + settled.claimed().job().id() + " of queue " + settled.claimed().job().queue();
  }

  /** Waits until everything that was handed over is written, or the patience ends. */
  boolean drain(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (unwritten.get() > 0 && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return unwritten.get() == 0;
  }
}
