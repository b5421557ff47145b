package dev.ebb.worker;

import dev.ebb.db.JobQueue;
import dev.ebb.db.Settled;
import dev.ebb.db.SqlStates;
import dev.ebb.db.Written;
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
 * <p>What waits is bounded; a worker whose database is slow or gone soon waits too, and claims no
 * more. A batch that cannot be written is tried until it can: the fence makes that safe.
 */
final class Settler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Settler.class);
  private static final String PART = "settler";
  private static final String LEFT = "jobs left for later";
  private static final int MOST_PER_BATCH = 1_000;

  /** Every claim of a queue walks over what is in flight there, and what waits here is. */
  private static final int MOST_WAITING = 1_500;

  private static final Duration IDLE_WAIT = Duration.ofMillis(200);

  private final JobQueue jobs;
  private final Leases leases;
  private final Consumer<Settled> onWritten;
  private final Meters meters;
  private final FailureLog failureLog;
  private final BlockingQueue<Settled> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Deque<List<Settled>> parts = new ArrayDeque<>();
  private final LockedOut lockedOut = new LockedOut();
  private final AtomicInteger unwritten = new AtomicInteger();
  private final Loop loop;

  Settler(
      JobQueue jobs,
      Leases leases,
      Consumer<Settled> onWritten,
      Meters meters,
      FailureLog failureLog) {
    this.jobs = jobs;
    this.leases = leases;
    this.onWritten = onWritten;
    this.meters = meters;
    this.failureLog = failureLog;
    this.loop = new Loop(PART, failureLog, this::step);
  }

  void start() {
    loop.start();
  }

  /** Hands over a settlement; waits while too many wait already. */
  void add(Settled settled) {
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
  boolean offer(Settled settled) {
    unwritten.incrementAndGet();
    boolean taken = waiting.offer(settled);
    if (!taken) {
      unwritten.decrementAndGet();
    }
    return taken;
  }

  private Duration step() throws SQLException, InterruptedException {
    List<Settled> due = lockedOut.due();
    if (!due.isEmpty()) {
      writeUnlocked(due);
    }
    if (parts.isEmpty()) {
      gather();
    }
    while (!parts.isEmpty()) {
      write(parts.element());
    }
    return Duration.ZERO;
  }

  private void gather() throws InterruptedException {
    boolean isFull = lockedOut.size() >= MOST_WAITING;
    long patience = lockedOut.isEmpty() ? IDLE_WAIT.toNanos() : LockedOut.SHORTEST_PAUSE.toNanos();
    if (isFull) {
      TimeUnit.NANOSECONDS.sleep(patience);
      return;
    }
    Settled first = waiting.poll(patience, TimeUnit.NANOSECONDS);
    if (first != null) {
      List<Settled> batch = new ArrayList<>();
      batch.add(first);
      waiting.drainTo(batch, MOST_PER_BATCH - 1);
      parts.add(batch);
    }
  }

  /** Writes the first part, and takes it away or puts others in its place. */
  private void write(List<Settled> part) throws SQLException {
    Set<Long> ended = leases.handOver(part);
    try {
      done(part, jobs.settle(part, ended), ended);
      parts.remove();
    } catch (SQLException e) {
      leases.takeBack(part);
      writeOtherwise(part, e);
    }
  }

  private void writeOtherwise(List<Settled> part, SQLException refused) throws SQLException {
    boolean isTooSlow = SqlStates.isTooSlow(refused);
    if (SqlStates.isLocked(refused)) {
      writeUnlocked(part);
      parts.remove();
    } else if (!SqlStates.isOfTheRows(refused) && !isTooSlow) {
      throw refused;
    } else if (part.size() > 1) {
      split(part);
    } else if (isTooSlow) {
      leaveForLater(part, refused);
      parts.remove();
    } else {
      writeLastly(part.getFirst(), refused);
      parts.remove();
    }
  }

  private void done(List<Settled> part, List<Settled> refused, Collection<Long> ended) {
    leases.drop(ended);
    meters.settled(part, refused);
    part.forEach(onWritten);
    unwritten.addAndGet(-part.size());
  }

  /** One of the part cannot be stored as it is, or all of it takes too long. */
  private void split(List<Settled> part) {
    int middle = part.size() / 2;
    parts.remove();
    parts.addFirst(List.copyOf(part.subList(middle, part.size())));
    parts.addFirst(List.copyOf(part.subList(0, middle)));
  }

  /** Somebody has locked one of the jobs: it is left for later, and keeps no other waiting. */
  private void writeUnlocked(List<Settled> part) throws SQLException {
    Set<Long> ended = leases.handOver(part);
    Written written;
    try {
      written = jobs.settleUnlocked(part, ended);
    } catch (SQLException e) {
      leases.takeBack(part);
      throw e;
    }
    List<Settled> locked = written.locked();
    leases.takeBack(locked);
    locked.forEach(settled -> ended.remove(settled.claimed().fencingToken()));
    List<Settled> free = part.stream().filter(settled -> !locked.contains(settled)).toList();
    done(free, written.refused(), ended);
    lockedOut.remove(free);
    leaveForLater(locked, new SQLException("somebody else has locked it", SqlStates.LOCKED));
  }

  private void leaveForLater(List<Settled> jobs, SQLException why) {
    lockedOut.add(jobs);
    if (!jobs.isEmpty()) {
      String others = jobs.size() == 1 ? "" : " and " + (jobs.size() - 1) + " others";
      String message = name(jobs.getFirst()) + others + ": " + why.getMessage();
      failureLog.failed(PART, LEFT, new SQLException(message, why.getSQLState()));
    } else if (lockedOut.isEmpty()) {
      failureLog.recovered(PART, LEFT);
    }
  }

  /**
   * The job goes without its detail; where even that fails, its lease is left to expire, so that a
   * rescue counts the attempt.
   */
  private void writeLastly(Settled settled, SQLException why) throws SQLException {
    List<Settled> one = List.of(settled);
    Set<Long> ended = leases.handOver(one);
    try {
      done(one, jobs.settle(List.of(plain(settled)), ended), ended);
    } catch (SQLException e) {
      if (!SqlStates.isOfTheRows(e)) {
        leases.takeBack(one);
        throw e;
      }
      e.addSuppressed(why);
      log.error("settler: {} cannot be settled: {}", name(settled), SqlStates.words(e), e);
      leases.leaveToExpire(settled.claimed().fencingToken());
      leases.drop(ended);
      unwritten.decrementAndGet();
    }
  }

  private static String name(Settled settled) {
    return "job " + settled.claimed().job().id() + " of queue " + settled.claimed().job().queue();
  }

  private static Settled plain(Settled settled) {
    return new Settled(
        settled.claimed(),
        settled.outcome(),
        settled.settlement(),
        settled.node(),
        settled.startedNanos(),
        settled.took(),
        null);
  }

  /** Waits until all is written that was handed over, or the patience is at its end. */
  boolean drain(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (unwritten.get() > 0 && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return unwritten.get() == 0;
  }

  boolean isHealthy() {
    return loop.isHealthy();
  }

  @Override
  public void close() {
    loop.close();
  }
}
