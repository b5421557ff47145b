package dev.ebb.db.claim;

import dev.ebb.core.Durations;
import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.Shortage;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.queue.CircuitRow;
import dev.ebb.db.queue.LimiterRow;
import dev.ebb.db.queue.Limiters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a claim takes from one queue: as many of its due jobs as its limits let through.
 *
 * <p>No permits are handed out: a permit is a claimed job. So none can be lost with a node, and
 * there is nothing to give back. A job whose policy's deadline has passed uses none: it ends
 * without its handler.
 *
 * @param jobs the first of those that are due
 * @param let how many its limits would let through
 * @param state that its limiter gets, if it is another
 * @param circuit the state that its destination's circuit gets, if the job is its probe
 * @param mustLast whether a crash of the server must not forget it: permits that take longer to pay
 *     for than any crash takes, and jobs that count against {@code maxConcurrency}
 * @param closedFor for how long its limits let nothing more through
 * @param full whether that is because {@code maxConcurrency} jobs are in flight
 * @param contended whether that is because other claims had taken most of a burst window
 */
record Part(
    Look.Seen seen,
    List<DueJob> jobs,
    int let,
    LimiterRow.@Nullable Write state,
    CircuitRow.@Nullable Write circuit,
    boolean mustLast,
    Duration closedFor,
    boolean full,
    boolean contended) {

  /** How long a queue with {@code maxConcurrency} jobs in flight is left alone. */
  private static final Duration FULL = Duration.ofMillis(100);

  /** No server that crashed is back sooner. */
  private static final Duration LASTS = Duration.ofMillis(2 * WarmUpLimiter.BURST_MILLIS);

  /** A probe whose vote is lost keeps a destination no longer. */
  private static final Duration LONGEST_PROBE = Duration.ofHours(1);

  /** From the claim of a probe to its start, and from its end to its vote. */
  private static final Duration AROUND_PROBE = Duration.ofSeconds(15);

  /**
   * What a claim takes.
   *
   * @param timeout of an attempt whose job has none
   */
  static Part of(String queue, Look.Seen seen, Duration timeout) {
    Part part = ofLimits(queue, seen);
    Circuit circuit = seen.circuit();
    return circuit == null || circuit.phase() == Circuit.Phase.CLOSED || part.jobs.isEmpty()
        ? part
        : part.probing(queue, circuit, timeout);
  }

  private static Part ofLimits(String queue, Look.Seen seen) {
    Limiters.LimiterView view = seen.view();
    int room = view == null ? seen.asked() : Math.min(seen.asked(), view.room());
    if (view == null || view.rate() == null || room == 0) {
      return upTo(room, seen);
    }
    WarmUpLimiter limiter = new WarmUpLimiter(view.rate());
    WarmUpLimiter.Grant grant = limiter.take(view.state(), view.now(), room);
    Part part = upTo(grant.permits(), seen);
    int used = part.inTime(view.now());
    boolean all = used == grant.permits();
    LimiterState after = all ? grant.state() : limiter.take(view.state(), view.now(), used).state();
    Duration untilNext = Duration.between(view.now(), grant.askAgainAt());
    boolean isClosed = all && used < room && untilNext.isPositive();
    Part closed = isClosed ? part.closedFor(untilNext, grant.contended()) : part;
    // If the clock was set back, the state changes without a permit: unless it is written, the next
    // claim waits as long again.
    boolean isNew = used > 0 || after.nextFreeAt().isBefore(view.state().nextFreeAt());
    return isNew ? closed.leaving(queue, after, limiter, view) : closed;
  }

  private static Part upTo(int most, Look.Seen seen) {
    List<DueJob> due = seen.due().jobs();
    List<DueJob> jobs = due.subList(0, Math.min(most, due.size()));
    Limiters.LimiterView view = seen.view();
    boolean full = view != null && view.free() == jobs.size();
    boolean mustLast = view != null && view.maxConcurrency() != null;
    return new Part(
        seen, jobs, most, null, null, mustLast, full ? FULL : Duration.ZERO, full, false);
  }

  /** How many may still start by their policies' deadlines. */
  private int inTime(Instant now) {
    return (int) jobs.stream().filter(due -> due.job().mayStart(now)).count();
  }

  private Part closedFor(Duration length, boolean contended) {
    return new Part(seen, jobs, let, state, circuit, mustLast, length, false, contended);
  }

  /** A shortage begins or goes on where these permits were the last. */
  private Part leaving(
      String queue, LimiterState after, WarmUpLimiter limiter, Limiters.LimiterView view) {
    boolean isUsedUp = limiter.take(after, view.now(), 1).permits() == 0;
    Shortage shortage =
        isUsedUp ? Shortage.after(view.shortage(), after, view.now()) : view.shortage();
    boolean lasts = mustLast || after.nextFreeAt().isAfter(view.now().plus(LASTS));
    LimiterRow.Write write = new LimiterRow.Write(queue, after, shortage);
    return new Part(seen, jobs, let, write, circuit, lasts, closedFor, full, contended);
  }

  private Part probing(String queue, Circuit before, Duration usual) {
    Duration own = jobs.getFirst().job().timeout();
    Duration timeout = own == null ? usual : own;
    Duration lease = Durations.min(timeout, LONGEST_PROBE).plus(AROUND_PROBE);
    Circuit after = before.probing(Objects.requireNonNull(seen.view()).now(), lease);
    CircuitRow.Write write = new CircuitRow.Write(queue, after);
    return new Part(seen, jobs, let, state, write, mustLast, closedFor, full, contended);
  }

  /** By what a job of it passes the circuit; {@code null} where there is none. */
  @Nullable CircuitPass pass(DueJob due) {
    Circuit before = seen.circuit();
    if (before == null) {
      return null;
    }
    return circuit == null
        ? new CircuitPass(
            before.epoch(), false, before.awaitsGood(), before.hasBad(), due.delivers())
        : new CircuitPass(circuit.circuit().epoch(), true, true, true, due.delivers());
  }

  /** Whether it took all that is due, so that nothing is left that a claim could find. */
  boolean tookAll() {
    return tookAllSeen() && jobs.size() < seen.asked() && seen.due().ends().isEmpty();
  }

  /** Whether it took all that the look saw. */
  boolean tookAllSeen() {
    return jobs.size() == seen.due().jobs().size();
  }
}
