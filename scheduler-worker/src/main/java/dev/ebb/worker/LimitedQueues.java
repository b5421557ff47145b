package dev.ebb.worker;

import dev.ebb.core.limit.ContentionBackoff;
import dev.ebb.db.claim.ClaimAnswer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The queues that have limits, and those that are closed to this node for now: by their limits, or
 * because it cannot run their jobs.
 */
final class LimitedQueues {
  /** Nodes that were refused at the same time need not come back at the same time. */
  private static final long JITTER_NANOS = Duration.ofMillis(10).toNanos();

  /**
   * A node that cannot run a queue's jobs takes a claim's worth of its permits once in this time.
   */
  private static final Duration SHORTEST_LEAVE = Duration.ofSeconds(5);

  private static final Duration LONGEST_LEAVE = Duration.ofSeconds(15);

  private final long longestNanos;
  private final Set<String> limited = ConcurrentHashMap.newKeySet();
  private final Map<String, Closure> closed = new ConcurrentHashMap<>();

  /** For how long each queue that was full at its last claim was closed then. */
  private final Map<String, Long> fullNanos = new ConcurrentHashMap<>();

  /** What other nodes leave so little of that this one comes later than it might. */
  private final Map<String, ContentionBackoff> contended = new ConcurrentHashMap<>();

  private volatile int nodes = 1;

  /** Limited queues of which a job ended since the last claim was sent. */
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Why a queue is closed. */
  private enum Why {
    RATE,
    /** {@code maxConcurrency} jobs are in flight. */
    FULL,
    /** It is left to nodes that can run its jobs. */
    LEFT
  }

  /**
   * A queue that this node claims nothing from.
   *
   * @param untilNanos by the monotonic clock
   */
  private record Closure(long untilNanos, Why why) {
    static Closure of(long nanos, Why why) {
      return new Closure(System.nanoTime() + nanos, why);
    }

    long leftNanos() {
      return untilNanos - System.nanoTime();
    }

    /** Unless that would end a leave. */
    Closure then(Closure next) {
      return why == Why.LEFT && leftNanos() > next.leftNanos() ? this : next;
    }
  }

  /**
   * Holds none yet.
   *
   * @param longest no queue stays closed longer without a claim, but for a backoff from other
   *     nodes: its limits may have changed
   */
  LimitedQueues(Duration longest) {
    this.longestNanos = longest.toNanos();
  }

  /** So many serve what this one serves, itself among them. */
  void nodes(int nodes) {
    this.nodes = nodes;
  }

  /** To be called before a claim of the queue is sent. */
  void asking(String queue) {
    ended.remove(queue);
  }

  /** Notes the result of the claim. */
  void answered(String queue, ClaimAnswer answer) {
    if (!answer.contended()) {
      contended.remove(queue);
    }
    if (!answer.limited()) {
      limited.remove(queue);
      return;
    }
    limited.add(queue);
    if (answer.closedFor().isPositive()) {
      long nanos = length(queue, answer) + later(queue, answer);
      Why why = answer.full() ? Why.FULL : Why.RATE;
      closed.merge(queue, Closure.of(nanos, why), Closure::then);
    }
    // A job ended while the claim was under way, when its queue was not held yet.
    if (answer.full() && ended.contains(queue)) {
      var _ = open(queue);
    }
  }

  /** Whether it was closed for being full, and is not any more. */
  private boolean open(String queue) {
    Closure closure = closed.get(queue);
    return closure != null && closure.why == Why.FULL && closed.remove(queue, closure);
  }

  /** This node cannot run the queue's jobs: it claims none of them for a while. */
  void leave(String queue) {
    long nanos =
        ThreadLocalRandom.current().nextLong(SHORTEST_LEAVE.toNanos(), LONGEST_LEAVE.toNanos());
    closed.merge(
        queue,
        Closure.of(nanos, Why.LEFT),
        (was, next) -> was.why == Why.LEFT && was.leftNanos() > 0 ? was : next);
  }

  /** How much later than it might it comes: jitter if it got none, and a backoff. */
  private long later(String queue, ClaimAnswer answer) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long jitter = answer.lease().isPresent() ? 0 : random.nextLong(JITTER_NANOS);
    // It comes again before anything is permitted.
    boolean isTooSoon = answer.closedFor().toNanos() > longestNanos;
    if (!answer.contended() || isTooSoon) {
      return jitter;
    }
    ContentionBackoff backoff = contended.getOrDefault(queue, ContentionBackoff.NONE);
    contended.put(queue, backoff.next(nodes));
    return jitter + backoff.length(random).toNanos();
  }

  /** Doubled as long as it stays full: its jobs may run for hours, and each claim counts them. */
  private long length(String queue, ClaimAnswer answer) {
    long length = Math.min(answer.closedFor().toNanos(), longestNanos);
    if (!answer.full() || answer.lease().isPresent()) {
      fullNanos.remove(queue);
      return length;
    }
    return fullNanos.merge(queue, length, (last, _) -> Math.min(2 * last, longestNanos));
  }

  /** A job of the queue ended; answers whether that lets the queue go. */
  boolean ended(String queue) {
    if (!limited.contains(queue)) {
      return false;
    }
    ended.add(queue);
    return open(queue);
  }

  /** Whether the queue had limits when it was last claimed from. */
  boolean isLimited(String queue) {
    return limited.contains(queue);
  }

  /** Whether the queue is closed; once that is over, it is forgotten. */
  boolean isClosed(String queue) {
    Closure closure = closed.get(queue);
    boolean over = closure != null && closure.leftNanos() <= 0;
    return closure != null && !(over && closed.remove(queue, closure));
  }

  /** All that are closed, or were until a moment ago. */
  Collection<String> names() {
    return closed.keySet();
  }

  /** How long until the first opens again, at most this long. */
  long nanosUntilFirst(long atMost) {
    long nanos = atMost;
    for (Closure closure : closed.values()) {
      nanos = Math.min(nanos, closure.leftNanos());
    }
    return nanos;
  }
}
