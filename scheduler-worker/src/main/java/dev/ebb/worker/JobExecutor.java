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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs claimed jobs, each on a virtual thread of its own, through the one pipe: find handler, run
 * under a deadline, outcome, {@link Settlement#decide}, settle, meter.
 */
final class JobExecutor {
  /**
   * A kind that is served here.
   *
   * @param timeout of an attempt whose job names none
   */
  record Kind(Handler handler, Duration timeout) {}

  private final String node;
  private final Map<String, Kind> kinds;
  private final Slots slots;
  private final Settler settler;
  private final Runnable onFreeSlot;
  private final ThreadFactory threads = Thread.ofVirtual().name("ebb-job").factory();

  /** A job may be there twice: its first lease is lost, and its handler has not noticed yet. */
  private final Set<Execution> running = ConcurrentHashMap.newKeySet();

  JobExecutor(
      String node, Map<String, Kind> kinds, Slots slots, Settler settler, Runnable onFreeSlot) {
    this.node = node;
    this.kinds = kinds;
    this.slots = slots;
    this.settler = settler;
    this.onFreeSlot = onFreeSlot;
  }

  /** Starts every job of the lease. */
  void start(Lease lease, long claimedNanos) {
    for (Claimed claimed : lease.jobs()) {
      Kind kind = kind(claimed);
      Duration timeout = claimed.job().timeout();
      Execution execution =
          new Execution(
              claimed, lease.claimedAt(), claimedNanos, timeout == null ? kind.timeout() : timeout);
      slots.take(claimed.payloadBytes());
      running.add(execution);
      threads.newThread(() -> run(execution, kind.handler())).start();
    }
  }

  private Kind kind(Claimed claimed) {
    Kind kind = kinds.get(claimed.job().kind());
    if (kind == null) {
      throw new IllegalStateException("claimed a kind without a handler: " + claimed.job().kind());
    }
    return kind;
  }

  private void run(Execution execution, Handler handler) {
    try {
      Outcome outcome = execution.run(handler);
      if (execution.takeSettlement()) {
        settler.add(settled(execution, outcome));
      }
    } finally {
      running.remove(execution);
      slots.giveBack(execution.claimed().payloadBytes());
      onFreeSlot.run();
    }
  }

  private Settled settled(Execution execution, Outcome outcome) {
    Duration took = execution.sinceStart();
    Settlement settlement =
        Settlement.decide(
            execution.job(), outcome, execution.databaseNow(), ThreadLocalRandom.current());
    return new Settled(
        execution.claimed().withoutPayload(),
        outcome,
        settlement,
        node,
        execution.startedNanos(),
        took,
        execution.detail());
  }

  /**
   * Settles without its handler an attempt that was told to end and did not. Its slot stays taken
   * until the handler returns. Does not wait: where too many settlements do, the next look tries
   * again.
   */
  void abandon(Execution execution) {
    Execution.End end = execution.end();
    if (end == null || !execution.takeSettlement()) {
      return;
    }
    if (!settler.offer(settled(execution, execution.outcomeOf(end)))) {
      execution.returnSettlement();
    }
  }

  /** The attempts that run now. */
  Collection<Execution> running() {
    return running;
  }

  /** Tells those of the jobs that run here that they are cancelled. */
  void cancel(Set<UUID> jobs) {
    for (Execution execution : running) {
      if (jobs.contains(execution.job().id())) {
        execution.end(Execution.End.CANCELLED);
      }
    }
  }
}
