package dev.ebb.api.jobs.waiting;

import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.PermitWait;
import dev.ebb.db.queue.CircuitView;
import dev.ebb.db.queue.Limiters.LimiterView;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.waiting.WaitingJob;
import dev.ebb.db.waiting.Waits;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When a job is expected to start its next attempt, if a worker is free then: once it is due, it is
 * the first of its ordering key, its hold and its queue's pause have ended, and the limiter has let
 * those before it start.
 *
 * @param pause {@code null} unless its queue is paused
 * @param limiter of its queue; {@code null} without a limit, and where the job is not due
 * @param circuit of its queue's destination, while that keeps jobs; {@code null} otherwise
 * @param ahead how many due jobs come first; {@code null} where the job is not due
 */
public record ExpectedStart(
    WaitingJob job,
    QueueView.@Nullable Pause pause,
    @Nullable LimiterView limiter,
    @Nullable CircuitView circuit,
    Waits.@Nullable Ahead ahead) {

  /** When; now while it runs, and {@code null} if what keeps it has no known end. */
  public @Nullable Instant at() {
    return job.run() == null && (isHeldForEver() || isPausedForEver() || isBlockedForLong())
        ? null
        : earliest();
  }

  /** The same, where a hold or a pause without an end counts as over now. */
  Instant earliest() {
    return job.run() == null ? turn(unkept()) : job.now();
  }

  private boolean isHeldForEver() {
    return job.hold() != null && job.hold().until() == null;
  }

  /** Nobody knows when the job before it ends. */
  private boolean isBlockedForLong() {
    return job.blocker() != null && job.blocker().until() == null;
  }

  private boolean isPausedForEver() {
    return pause != null && pause.until() == null;
  }

  /** From when on nothing but others and limits keeps it. */
  private Instant unkept() {
    Instant held = job.hold() == null ? null : job.hold().until();
    Instant blocked = job.blocker() == null ? null : job.blocker().until();
    Instant paused = pause == null ? null : pause.until();
    Instant circuitHeld = circuit == null ? null : circuit.circuit().heldUntil();
    return Stream.of(
            job.now(), job.runAt(), orNow(held), orNow(blocked), orNow(paused), orNow(circuitHeld))
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private Instant orNow(@Nullable Instant time) {
    return time == null ? job.now() : time;
  }

  /** When the limiter lets it start, behind those before it; a pause makes the limiter cold. */
  private Instant turn(Instant from) {
    if (limiter == null || limiter.rate() == null || ahead == null) {
      return from;
    }
    LimiterState state = limiter.state().after(pause == null ? null : pause.until());
    return PermitWait.until(limiter.rate(), state, from, ahead.jobs() + 1);
  }

  /** Whether its policy's deadline lets it start then. */
  boolean isInTime() {
    return job.lastStart() == null || !earliest().isAfter(job.lastStart());
  }
}
