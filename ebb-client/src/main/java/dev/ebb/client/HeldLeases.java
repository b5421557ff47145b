package dev.ebb.client;

import dev.ebb.contract.Lease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The leases that the worker has, with the attempts of each that are not settled. Times are those
 * of this process's monotonic clock.
 */
final class HeldLeases {
  private static final class Held {
    final Set<Attempt<?>> open;
    final long length;
    long deadline;

    Held(Collection<Attempt<?>> open, long length, long deadline) {
      this.open = new HashSet<>(open);
      this.length = length;
      this.deadline = deadline;
    }
  }

  private final Map<String, Held> leases = new LinkedHashMap<>();

  /** Has it until the deadline, unless it is renewed. */
  synchronized void add(Lease lease, Collection<Attempt<?>> attempts, long deadline) {
    leases.put(lease.lease(), new Held(attempts, lease.length().toNanos(), deadline));
  }

  synchronized List<String> ids() {
    return new ArrayList<>(leases.keySet());
  }

  synchronized boolean isEmpty() {
    return leases.isEmpty();
  }

  synchronized boolean has(Attempt<?> attempt) {
    Held held = leases.get(attempt.lease());
    return held != null && held.open.contains(attempt);
  }

  /** It was renewed by a request that was sent then. */
  synchronized void renewed(String lease, long sent) {
    Held held = leases.get(lease);
    if (held != null) {
      held.deadline = sent + held.length;
    }
  }

  /** Nothing of it can be settled: others may run its jobs. */
  synchronized void lost(String lease) {
    Held held = leases.remove(lease);
    if (held != null) {
      held.open.forEach(attempt -> attempt.stop(Stop.LOST));
      notifyAll();
    }
  }

  /** Those that could not be renewed in time are lost. */
  synchronized List<String> expire(long now) {
    List<String> expired =
        leases.entrySet().stream()
            .filter(lease -> now - lease.getValue().deadline >= 0)
            .map(Map.Entry::getKey)
            .toList();
    expired.forEach(this::lost);
    return expired;
  }

  synchronized void cancel(Collection<String> jobs) {
    for (Attempt<?> attempt : attempts()) {
      if (jobs.contains(attempt.job())) {
        attempt.stop(Stop.CANCELLED);
      }
    }
  }

  /** It is off this worker's hands; a lease ends with its last attempt. */
  synchronized void settled(Attempt<?> attempt) {
    Held held = leases.get(attempt.lease());
    if (held != null && held.open.remove(attempt)) {
      if (held.open.isEmpty()) {
        leases.remove(attempt.lease());
      }
      notifyAll();
    }
  }

  synchronized List<Attempt<?>> attempts() {
    return attempts(leases.keySet());
  }

  synchronized List<Attempt<?>> attempts(Collection<String> of) {
    List<Attempt<?>> all = new ArrayList<>();
    for (String lease : of) {
      Held held = leases.get(lease);
      if (held != null) {
        all.addAll(held.open);
      }
    }
    return all;
  }

  /** Waits so long at most; answers whether nothing is left. */
  boolean awaitEmpty(long nanos) throws InterruptedException {
    return awaitAtMost(0, nanos);
  }

  /** Waits so long at most; answers whether no more attempts than these are not settled. */
  synchronized boolean awaitAtMost(int most, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; open() > most && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return open() <= most;
  }

  private int open() {
    return leases.values().stream().mapToInt(held -> held.open.size()).sum();
  }
}
