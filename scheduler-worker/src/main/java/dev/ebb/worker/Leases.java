package dev.ebb.worker;

import dev.ebb.db.claim.Lease;
import dev.ebb.db.settle.FinishedAttempt;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The leases that this node holds, how many jobs each has left, and until when each certainly
 * lasts.
 */
final class Leases {
  private final ConcurrentHashMap<Long, HeldLease> held = new ConcurrentHashMap<>();
  private final long lengthNanos;

  private static final class HeldLease {
    final AtomicInteger open;
    volatile long untilNanos;
    volatile boolean mustExpire;

    HeldLease(int jobs, long untilNanos) {
      this.open = new AtomicInteger(jobs);
      this.untilNanos = untilNanos;
    }
  }

  Leases(Duration length) {
    this.lengthNanos = length.toNanos();
  }

  /**
   * Adds a lease.
   *
   * @param askedNanos when the claim was sent; for the database, the lease began later
   */
  void add(Lease lease, long askedNanos) {
    held.put(lease.id(), new HeldLease(lease.jobs().size(), askedNanos + lengthNanos));
  }

  /** The leases to renew. */
  List<Long> ids() {
    return List.copyOf(held.keySet());
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /**
   * Notes the result of a renewal that was sent at that time.
   *
   * @param there by lease, whether it was renewed
   */
  void renewed(Map<Long, Boolean> there, long askedNanos) {
    there.forEach((id, isRenewed) -> {
      HeldLease lease = held.get(id);
      if (lease != null && isRenewed) {
        lease.untilNanos = askedNanos + lengthNanos;
      }
    });
  }

  /** Forgets those that ended, were lost, or must not be renewed any more. */
  void drop(Collection<Long> ids) {
    ids.forEach(held::remove);
  }

  /** Whether this node can still count on the lease. */
  boolean isSure(long id, long nowNanos) {
    HeldLease lease = held.get(id);
    return lease != null && nowNanos - lease.untilNanos < 0;
  }

  /**
   * Counts the jobs as handed to the database, and answers the leases of which they were the last.
   */
  Set<Long> handOver(List<FinishedAttempt> jobs) {
    Set<Long> ended = new HashSet<>();
    for (FinishedAttempt settled : jobs) {
      long lease = settled.claimed().fencingToken();
      if (handOver(lease)) {
        ended.add(lease);
      }
    }
    return ended;
  }

  private boolean handOver(long id) {
    HeldLease lease = held.get(id);
    if (lease == null || lease.open.decrementAndGet() > 0) {
      return false;
    }
    if (lease.mustExpire) {
      held.remove(id);
    }
    return !lease.mustExpire;
  }

  /** The jobs were not written after all. */
  void takeBack(Collection<FinishedAttempt> jobs) {
    for (FinishedAttempt settled : jobs) {
      HeldLease lease = held.get(settled.claimed().fencingToken());
      if (lease != null) {
        lease.open.incrementAndGet();
      }
    }
  }

  /** One of its jobs will not be settled here: once the others are, the lease is let go. */
  void giveUp(long id) {
    leaveToExpire(id);
    handOver(id);
  }

  /** Once its other jobs are settled, the lease must be neither ended nor renewed. */
  void leaveToExpire(long id) {
    HeldLease lease = held.get(id);
    if (lease != null) {
      lease.mustExpire = true;
    }
  }

  /** Whether the lease has a job that is not handed to the database yet. */
  boolean isOpen(long id) {
    HeldLease lease = held.get(id);
    return lease != null && lease.open.get() > 0;
  }
}
