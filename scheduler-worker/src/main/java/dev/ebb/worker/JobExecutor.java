package dev.ebb.worker;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Durations;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.settle.FinishedAttempt;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs claimed jobs, each on a virtual thread of its own, through the one pipe: find handler, run
 * under a deadline, outcome, {@link Settlement#decide}, settle, meter.
 */
final class JobExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(JobExecutor.class);

  /**
   * A kind that is served here, with its handler's rules for all its jobs.
   *
   * @param timeout of an attempt whose job names none
   * @param longestTimeout of an attempt whatever its job names
   * @param shortestRetry no retry comes sooner
   */
  record Kind(Handler handler, Duration timeout, Duration longestTimeout, Duration shortestRetry) {
    private static final Duration HOUR = Duration.ofHours(1);

    /** The kinds of handlers by the kinds' names. */
    static Map<String, Kind> all(Map<String, Handler> handlers) {
      Map<String, Kind> kinds = new HashMap<>();
      handlers.forEach((name, handler) -> kinds.put(name, of(name, handler)));
      return kinds;
    }

    static Kind of(String name, Handler handler) {
      Kind kind =
          new Kind(handler, handler.timeout(), handler.longestTimeout(), handler.shortestRetry());
      String field = "handlers." + name;
      require(
          kind.timeout.isPositive() && kind.timeout.compareTo(NewJob.MAX_TIMEOUT) <= 0,
          field,
          "must have a timeout of more than zero and at most P1D");
      require(
          kind.longestTimeout.isPositive()
              && kind.longestTimeout.compareTo(NewJob.MAX_TIMEOUT) <= 0,
          field,
          "must have a longest timeout of more than zero and at most P1D");
      require(
          !kind.shortestRetry.isNegative() && kind.shortestRetry.compareTo(HOUR) <= 0,
          field,
          "must have a shortest retry between PT0S and PT1H");
      return kind;
    }

    Duration timeoutOf(Job job) {
      Duration wanted = job.timeout() == null ? timeout : job.timeout();
      return Durations.min(wanted, longestTimeout);
    }
  }

  private final Attempts attempts;
  private final Map<String, Kind> kinds;
  private final Duration longestUsualTimeout;
  private final Slots slots;
  private final Leases leases;
  private final Settler settler;
  private final Runnable onFreeSlot;
  private final ThreadFactory threads = Thread.ofVirtual().name("ebb-job").factory();

  /** A job may be there twice: its first lease is lost, and its handler has not noticed yet. */
  private final Set<Execution> running = ConcurrentHashMap.newKeySet();

  JobExecutor(
      Attempts attempts,
      Map<String, Kind> kinds,
      Slots slots,
      Leases leases,
      Settler settler,
      Runnable onFreeSlot) {
    this.attempts = attempts;
    this.kinds = kinds;
    this.longestUsualTimeout =
        kinds.values().stream().map(Kind::timeout).max(Comparator.naturalOrder()).orElseThrow();
    this.slots = slots;
    this.leases = leases;
    this.settler = settler;
    this.onFreeSlot = onFreeSlot;
  }

  /** Of an attempt whose job has no timeout, of the kind that takes longest. */
  Duration longestUsualTimeout() {
    return longestUsualTimeout;
  }

  /** For how many jobs there is room; none if the largest would not fit. */
  int room() {
    return slots.hasRoom() ? Math.max(0, unstoredRoom()) : 0;
  }

  /**
   * How many more jobs may have an outcome that is not stored. If the database is lost, others do
   * all of them again: so they are no more than the slots, and none comes while an outcome waits.
   */
  private int unstoredRoom() {
    return settler.isBehind() ? 0 : slots.free() - settler.unwritten();
  }

  /**
   * Takes room for jobs of the queues, by their weights and for this many at most each; none for a
   * queue whose jobs could not be settled.
   *
   * @return by queue, for how many: those without room are not there
   */
  SequencedMap<String, Integer> reserve(List<String> queues, int most) {
    SequencedMap<String, Integer> reserved = new LinkedHashMap<>();
    int room = unstoredRoom();
    Map<String, Integer> weights = slots.weights(queues);
    int beside = weights.values().stream().mapToInt(weight -> weight).sum();
    for (Map.Entry<String, Integer> weight : weights.entrySet()) {
      String queue = weight.getKey();
      beside -= weight.getValue();
      int wanted = settler.isLockedOut(queue) ? 0 : Math.min(most, room);
      int jobs = wanted <= 0 ? 0 : slots.reserve(queue, wanted, beside);
      if (jobs > 0) {
        reserved.put(queue, jobs);
        room -= jobs;
      }
    }
    return reserved;
  }

  /** The queue has this share of the slots, in relation to other queues. */
  void weigh(String queue, int weight) {
    slots.weigh(queue, weight);
  }

  /** Gives reserved room back. */
  void giveBack(String queue, int reserved) {
    slots.keep(queue, reserved, List.of());
  }

  /** The leases that this node has not ended. */
  Collection<Long> leases() {
    return leases.ids();
  }

  /**
   * Starts every job of the lease in the room that was reserved for them.
   *
   * @param askedNanos this node's monotonic clock when the claim was sent
   */
  void start(String queue, int reserved, Lease lease, long askedNanos) {
    slots.keep(queue, reserved, lease.jobs());
    leases.add(lease, askedNanos);
    for (ClaimedJob claimed : lease.jobs()) {
      try {
        start(claimed, lease, askedNanos);
      } catch (RuntimeException | Error e) {
        slots.giveBack(queue, claimed.payloadBytes());
        leaveToRescue(claimed, e);
      }
    }
  }

  private void start(ClaimedJob claimed, Lease lease, long askedNanos) {
    Kind kind = kind(claimed);
    Duration timeout = kind.timeoutOf(claimed.job());
    Execution execution = new Execution(claimed, lease.claimedAt(), askedNanos, timeout);
    Thread thread = threads.newThread(() -> run(execution, kind.handler()));
    running.add(execution);
    try {
      thread.start();
    } catch (RuntimeException | Error e) {
      running.remove(execution);
      throw e;
    }
  }

  private void run(Execution execution, Handler handler) {
    try {
      Outcome outcome = attempts.run(execution, handler);
      settleOnce(execution, outcome);
      running.remove(execution);
      // The watchdog may just have tried in vain to abandon it, and does not see it any more.
      settleOnce(execution, outcome);
    } catch (Throwable e) {
      giveUp(execution, e);
    } finally {
      running.remove(execution);
      slots.giveBack(execution.job().queue(), execution.claimed().payloadBytes());
      onFreeSlot.run();
    }
  }

  /** Nothing must keep a lease whose attempt could not be run. */
  private void giveUp(Execution execution, Throwable why) {
    // The watchdog, if it settles the attempt now, then sees that nobody else will.
    running.remove(execution);
    if (execution.takeSettlement()) {
      leaveToRescue(execution, why);
    }
  }

  private void settleOnce(Execution execution, Outcome outcome) {
    if (execution.takeSettlement()) {
      settle(execution, outcome);
    }
  }

  /** A renewed lease must not keep an attempt that nobody settles. */
  private void settle(Execution execution, Outcome outcome) {
    try {
      FinishedAttempt settled = settled(execution, outcome);
      attempts.ended(execution, outcome);
      settler.add(settled);
    } catch (RuntimeException | Error e) {
      leaveToRescue(execution, e);
    }
  }

  private Kind kind(ClaimedJob claimed) {
    Kind kind = kinds.get(claimed.job().kind());
    if (kind == null) {
      throw new IllegalStateException("claimed a kind without a handler: " + claimed.job().kind());
    }
    return kind;
  }

  private void leaveToRescue(Execution execution, Throwable why) {
    leaveToRescue(execution.claimed(), why);
    attempts.ended(execution, execution.outcomeOf(Execution.End.LEASE_LOST));
  }

  private void leaveToRescue(ClaimedJob claimed, Throwable why) {
    leases.giveUp(claimed.fencingToken());
    LOG.error("job {} cannot be settled here, a rescue will do it", claimed.job().id(), why);
  }

  private FinishedAttempt settled(Execution execution, Outcome outcome) {
    Duration took = execution.sinceStart();
    Settlement settlement =
        Settlement.decide(
            execution.job(),
            outcome,
            kind(execution.claimed()).shortestRetry(),
            execution.databaseNow(),
            ThreadLocalRandom.current());
    return attempts.finished(execution, outcome, settlement, took);
  }

  /**
   * Settles, without its handler, an attempt that was told to end and did not. Its slot stays taken
   * until the handler returns. Does not wait: if too many settlements do, the watchdog's next round
   * tries again.
   */
  void abandon(Execution execution) {
    Execution.End end = execution.end();
    if (end == null || !execution.takeSettlement()) {
      return;
    }
    try {
      Outcome outcome = execution.outcomeOf(end);
      if (settler.offer(settled(execution, outcome))) {
        attempts.ended(execution, outcome);
        return;
      }
    } catch (RuntimeException | Error e) {
      leaveToRescue(execution, e);
      return;
    }
    execution.returnSettlement();
    if (!running.contains(execution) && execution.takeSettlement()) {
      leaveToRescue(execution, new IllegalStateException("too many settlements wait"));
    }
  }

  /** The attempts that run now. */
  Collection<Execution> running() {
    return running;
  }

  /** Tells the attempts of these jobs, if they run here, that they are cancelled. */
  void cancel(Set<UUID> jobs) {
    for (Execution execution : running) {
      if (jobs.contains(execution.job().id())) {
        execution.end(Execution.End.CANCELLED);
      }
    }
  }
}
