package dev.ebb.api.leases;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Of the queues that an asker claims from: which are ready, and when the others will be. */
final class ReadyTimes {
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int FORGOTTEN_AFTER = 10;

  private final LongSupplier nanoTime;
  private final Set<String> ready = ConcurrentHashMap.newKeySet();
  private final Map<String, Closure> closed = new ConcurrentHashMap<>();
  private final Map<String, Long> later = new ConcurrentHashMap<>();
  private final Map<String, Long> looked = new ConcurrentHashMap<>();
  private volatile @Nullable Long dueNanos;

  /** A queue that its limits close. */
  private record Closure(long untilNanos, boolean full) {}

  ReadyTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The queue has work; answers whether that is news, and somebody wants to know. */
  boolean workArrived(String queue) {
    return looked.containsKey(queue) && ready.add(queue) && !isClosed(queue);
  }

  /** Jobs of the queue ended; answers whether that opens it. */
  boolean ended(String queue) {
    Closure closure = closed.get(queue);
    boolean opens = closure != null && closure.full() && closed.remove(queue, closure);
    if (opens) {
      ready.add(queue);
    }
    return opens;
  }

  /** The queue is ready again after that time, and not before. */
  void close(String queue, long nanos, boolean full) {
    closed.put(queue, new Closure(nanoTime.getAsLong() + nanos, full));
    ready.add(queue);
  }

  /** The queue is ready after that time at the latest. */
  void later(String queue, Duration length) {
    later.put(queue, nanoTime.getAsLong() + length.toNanos());
  }

  private boolean isClosed(String queue) {
    Closure closure = closed.get(queue);
    boolean isOver = closure != null && closure.untilNanos - nanoTime.getAsLong() <= 0;
    return closure != null && !(isOver && closed.remove(queue, closure));
  }

  /** A claim is about to be sent: what arrives from now on is news. */
  void claiming(String queue) {
    ready.remove(queue);
    later.remove(queue);
  }

  /** Those of the queues that may be claimed from now. */
  List<String> ready(Collection<String> queues) {
    long now = nanoTime.getAsLong();
    List<String> open = new ArrayList<>();
    for (String queue : queues) {
      Long at = later.get(queue);
      boolean hasWork = ready.contains(queue) || (at != null && at - now <= 0);
      if (hasWork && !isClosed(queue)) {
        open.add(queue);
      }
    }
    return open;
  }

  /** Whether one of the queues was not looked at for a second, or a job has become due since. */
  boolean isLookDue(Collection<String> queues) {
    long now = nanoTime.getAsLong();
    Long due = dueNanos;
    return (due != null && due - now <= 0)
        || queues.stream().anyMatch(queue -> isOld(looked.get(queue), now));
  }

  /** Whether one of the queues may be claimed from before the next look, as far as is known. */
  boolean mayBeReadySoon(Collection<String> queues) {
    long now = nanoTime.getAsLong();
    return queues.stream()
        .anyMatch(queue ->
            isOld(looked.get(queue), now)
                || ready.contains(queue)
                || closed.containsKey(queue)
                || later.containsKey(queue));
  }

  private static boolean isOld(@Nullable Long lookedNanos, long now) {
    return lookedNanos == null || now - lookedNanos >= LOOK_NANOS;
  }

  /**
   * A look at these queues is about to be sent: what arrives from now on is noted. Those that
   * nobody wanted for a while are forgotten.
   */
  void looking(Collection<String> queues) {
    long now = nanoTime.getAsLong();
    looked.values().removeIf(at -> now - at > FORGOTTEN_AFTER * LOOK_NANOS);
    queues.forEach(queue -> looked.put(queue, now));
    ready.retainAll(looked.keySet());
    closed.keySet().retainAll(looked.keySet());
    later.keySet().retainAll(looked.keySet());
  }

  /** Notes what the look found. */
  void found(List<String> queues, @Nullable Duration untilNext) {
    dueNanos = untilNext == null ? null : nanoTime.getAsLong() + untilNext.toNanos();
    ready.addAll(queues);
  }

  /** Has the next step look at all queues. */
  void forgetLooks() {
    looked.clear();
  }

  /** How long until one of the queues may be ready, at most this long. */
  Duration untilNext(Collection<String> queues, Duration most) {
    long now = nanoTime.getAsLong();
    long nanos = most.toNanos();
    Long due = dueNanos;
    nanos = due == null ? nanos : Math.min(nanos, due - now);
    for (String queue : queues) {
      Closure closure = closed.get(queue);
      Long at = later.get(queue);
      nanos = closure == null ? nanos : Math.min(nanos, closure.untilNanos - now);
      // One that has passed waits for a poll.
      nanos = at == null || at - now <= 0 ? nanos : Math.min(nanos, at - now);
    }
    return Duration.ofNanos(Math.max(0, nanos));
  }
}
