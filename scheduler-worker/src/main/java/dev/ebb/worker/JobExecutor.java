package dev.ebb.worker;

import dev.ebb.core.Outcome;
import dev.ebb.core.Settlement;
import dev.ebb.db.Claimed;
import dev.ebb.db.Lease;
import dev.ebb.db.Settled;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs claimed jobs, each on a virtual thread of its own, through the one pipe: find handler, run
 * under a deadline, outcome, {@link Settlement#decide}, settle, meter.
 */
final class JobExecutor {
  private final String node;
  private final Map<String, Handler> handlers;
  private final Slots slots;
  private final Settler settler;
  private final Runnable onFreeSlot;
  private final AtomicInteger suspects = new AtomicInteger();
  private final ConcurrentHashMap<UUID, Execution> running = new ConcurrentHashMap<>();

  JobExecutor(
      String node,
      Map<String, Handler> handlers,
      Slots slots,
      Settler settler,
      Runnable onFreeSlot) {
    this.node = node;
    this.handlers = handlers;
    this.slots = slots;
    this.settler = settler;
    this.onFreeSlot = onFreeSlot;
  }

  /** Starts every job of the lease. */
  void start(Lease lease, long claimedNanos) {
    for (Claimed claimed : lease.jobs()) {
      Handler handler = handler(claimed);
      Duration timeout = claimed.job().timeout();
      Execution execution =
          new Execution(
              claimed,
              lease.claimedAt(),
              claimedNanos,
              timeout == null ? handler.timeout() : timeout);
      if (claimed.suspect()) {
        suspects.incrementAndGet();
      }
      slots.take(size(claimed));
      running.put(claimed.job().id(), execution);
      Thread.ofVirtual().name("ebb-job").start(() -> run(execution, handler));
    }
  }

  private Handler handler(Claimed claimed) {
    Handler handler = handlers.get(claimed.job().kind());
    if (handler == null) {
      throw new IllegalStateException("claimed a kind without a handler: " + claimed.job().kind());
    }
    return handler;
  }

  private void run(Execution execution, Handler handler) {
    try {
      Outcome outcome = execution.run(handler);
      settle(execution, outcome);
    } finally {
      running.remove(execution.job().id(), execution);
      if (execution.claimed().suspect()) {
        suspects.decrementAndGet();
      }
      slots.giveBack(size(execution.claimed()));
      onFreeSlot.run();
    }
  }

  /** Settles the attempt unless that was done before; the first outcome counts. */
  private void settle(Execution execution, Outcome outcome) {
    if (!execution.takeSettlement()) {
      return;
    }
    Duration took = execution.sinceStart();
    Settlement settlement =
        Settlement.decide(
            execution.job(), outcome, execution.databaseNow(), ThreadLocalRandom.current());
    settler.add(
        new Settled(
            execution.claimed(),
            outcome,
            settlement,
            node,
            execution.startedNanos(),
            took,
            execution.detail()));
  }

  /**
   * Settles without its handler an attempt that was told to end and did not. Its slot stays taken
   * until the handler returns.
   */
  void abandon(Execution execution) {
    Execution.End end = execution.end();
    if (end != null) {
      settle(execution, execution.outcomeOf(end));
    }
  }

  /** The attempts that run now. */
  Collection<Execution> running() {
    return running.values();
  }

  /** Tells those of the jobs that run here that they are cancelled. */
  void cancel(Set<UUID> jobs) {
    for (UUID id : jobs) {
      Execution execution = running.get(id);
      if (execution != null) {
        execution.end(Execution.End.CANCELLED);
      }
    }
  }

  /** Whether a job suspected of killing its workers runs here. */
  boolean hasSuspect() {
    return suspects.get() > 0;
  }

  static long size(Claimed claimed) {
    return claimed.job().payload().length();
  }
}
