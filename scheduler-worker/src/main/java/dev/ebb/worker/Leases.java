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
  private final ConcurrentHashMap<Long, OwnLease> own = new ConcurrentHashMap<>();
  private final long lengthNanos;

  private static final class OwnLease {
    final AtomicInteger open;
    volatile long untilNanos;
    volatile boolean mustExpire;

    OwnLease(int jobs, long untilNanos) {
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
    own.put(lease.id(), new OwnLease(lease.jobs().size(), askedNanos + lengthNanos));
  }

  /** The leases to renew. */
  List<Long> ids() {
    return List.copyOf(own.keySet());
  }

  boolean isEmpty() {
    return own.isEmpty();
  }

  /**
   * Notes the result of a renewal that was sent at that time.
   *
   * @param there by lease, whether it was renewed
   */
  void renewed(Map<Long, Boolean> there, long askedNanos) {
    there.forEach((id, isRenewed) -> {
      OwnLease lease = own.get(id);
      if (lease != null && isRenewed) {
        lease.untilNanos = askedNanos + lengthNanos;
      }
    });
  }

  /** Forgets those that ended, were lost, or must not be renewed any more. */
  void drop(Collection<Long> ids) {
    ids.forEach(own::remove);
  }

  /** Whether this node can still count on the lease. */
  boolean isSure(long id, long nowNanos) {
    OwnLease lease = own.get(id);
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
    OwnLease lease = own.get(id);
    if (lease == null || lease.open.decrementAndGet() > 0) {
      return false;
    }
    if (lease.mustExpire) {
      own.remove(id);
    }
    return !lease.mustExpire;
  }

  /** The jobs were not written after all. */
  void takeBack(Collection<FinishedAttempt> jobs) {
    for (FinishedAttempt settled : jobs) {
      OwnLease lease = own.get(settled.claimed().fencingToken());
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
    OwnLease lease = own.get(id);
    if (lease != null) {
      lease.mustExpire = true;
    }
  }

  /** Whether the lease has a job that is not handed to the database yet. */
  boolean isOpen(long id) {
    OwnLease lease = own.get(id);
    return lease != null && lease.open.get() > 0;
  }
}
