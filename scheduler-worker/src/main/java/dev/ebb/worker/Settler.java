package dev.ebb.worker;

import dev.ebb.db.JobQueue;
import dev.ebb.db.Settled;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
 * <p>What waits is bounded; a worker whose database is slow or gone soon waits too, and claims no
 * more. A batch that cannot be written is tried until it can: the fence makes that safe.
 */
final class Settler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Settler.class);
  private static final int MOST_PER_BATCH = 1_000;

  /** Every claim of a queue walks over what is in flight there, and what waits here is. */
  private static final int MOST_WAITING = 1_500;

  private static final Duration IDLE_WAIT = Duration.ofMillis(200);

  private final JobQueue jobs;
  private final Leases leases;
  private final Consumer<Settled> onWritten;
  private final Meters meters;
  private final BlockingQueue<Settled> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final List<Settled> batch = new ArrayList<>();
  private final Set<Long> endedLeases = new HashSet<>();
  private final AtomicInteger unwritten = new AtomicInteger();
  private final Loop loop;

  Settler(JobQueue jobs, Leases leases, Consumer<Settled> onWritten, Meters meters) {
    this.jobs = jobs;
    this.leases = leases;
    this.onWritten = onWritten;
    this.meters = meters;
    this.loop = Loop.start("settler", this::step);
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
    if (batch.isEmpty() && !gather()) {
      return Duration.ZERO;
    }
    try {
      write(batch);
    } catch (SQLException e) {
      if (isTransient(e) && !(isTooSlow(e) && batch.size() > 1)) {
        throw e;
      }
      log.error("settler: a batch of {} was refused, writing one by one", batch.size(), e);
      writeOneByOne();
    }
    leases.drop(endedLeases);
    endedLeases.clear();
    batch.forEach(onWritten);
    unwritten.addAndGet(-batch.size());
    batch.clear();
    return Duration.ZERO;
  }

  private boolean gather() throws InterruptedException {
    Settled first = waiting.poll(IDLE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return false;
    }
    batch.add(first);
    waiting.drainTo(batch, MOST_PER_BATCH - 1);
    for (Settled settled : batch) {
      long lease = settled.claimed().fencingToken();
      if (leases.settleOne(lease)) {
        endedLeases.add(lease);
      }
    }
    return true;
  }

  private void write(List<Settled> settled) throws SQLException {
    meters.settled(settled, jobs.settle(settled, endedLeases));
  }

  /**
   * One of the batch cannot be stored as it is. That one goes without its detail; where even that
   * fails, its lease is left to expire, so that a rescue counts the attempt.
   */
  private void writeOneByOne() throws SQLException {
    for (Settled settled : batch) {
      long lease = settled.claimed().fencingToken();
      try {
        meters.settled(List.of(settled), jobs.settle(List.of(plain(settled)), List.of()));
      } catch (SQLException e) {
        if (isTransient(e)) {
          throw e;
        }
        log.error("settler: job {} cannot be settled", settled.claimed().job().id(), e);
        if (endedLeases.remove(lease)) {
          leases.drop(Set.of(lease));
        } else {
          leases.leaveToExpire(lease);
        }
      }
    }
    jobs.settle(List.of(), endedLeases);
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

  /** Whether it ran into a time limit, which a smaller batch may keep. */
  private static boolean isTooSlow(SQLException e) {
    return "57014".equals(e.getSQLState()) || "55P03".equals(e.getSQLState());
  }

  /** Whether the same statement may succeed later: all but wrong data and broken rules. */
  private static boolean isTransient(SQLException e) {
    String state = e.getSQLState();
    return state == null || !(state.startsWith("22") || state.startsWith("23"));
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
