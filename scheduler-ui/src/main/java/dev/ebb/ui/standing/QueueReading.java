package dev.ebb.ui.standing;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.Forecast;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueRunning;
import dev.ebb.core.limit.ComingPermits;
import dev.ebb.ui.svg.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a queue at one moment, of which its page is made.
 *
 * @param limiter {@code null} without a limit
 * @param kind of a job that is due; {@code null} if none is known
 * @param held how many jobs are; {@code null} where nobody asked, because others are due
 * @param receiver who throttled; {@code null} where nobody did, or that is not known
 * @param circuit of a destination; {@code null} of another queue
 * @param startPaused whether the whole cluster's start is
 */
public record QueueReading(
    Queue queue,
    QueuePace pace,
    @Nullable Limiter limiter,
    Forecast forecast,
    QueueRunning running,
    Serving serving,
    @Nullable String kind,
    @Nullable JobCount held,
    @Nullable String receiver,
    @Nullable Circuit circuit,
    boolean startPaused,
    Instant now) {

  /** Within this time a worker has found a due job, unless something keeps it. */
  public static final Duration MOMENTS = Duration.ofSeconds(10);

  /** An estimate never tells of more jobs than there are, nor of none where one is known. */
  public QueueReading {
    Forecast.Overdue told = forecast.overdue();
    long due = told.jobs();
    long most = Math.max(0, pace.now().jobs() - inFlight(running, pace));
    long least = pace.now().oldestDueAge() == null ? 0 : 1;
    if (!told.exact() && (due > most || due < least)) {
      forecast = withDue(forecast, Math.max(least, Math.min(due, most)), false);
    }
    // A counter knows that none is due.
    if (least == 0 && due == 0) {
      forecast = withDue(forecast, 0, true);
    }
  }

  private static Forecast withDue(Forecast forecast, long due, boolean exact) {
    Forecast.Overdue before = forecast.overdue();
    Map<String, Long> byAttempt = new HashMap<>();
    double share = before.jobs() == 0 ? 0 : (double) due / before.jobs();
    before.byAttempt().forEach((attempt, jobs) -> byAttempt.put(attempt, Math.round(share * jobs)));
    return new Forecast(
        forecast.asOf(),
        forecast.exact(),
        forecast.queue(),
        forecast.permitsPerMinute(),
        forecast.paused(),
        forecast.pausedQueues(),
        new Forecast.Overdue(due, exact, byAttempt),
        forecast.minutes());
  }

  private static long inFlight(QueueRunning running, QueuePace pace) {
    return running.exact() ? running.jobs() : Math.max(running.jobs(), pace.now().inFlight());
  }

  /** How many jobs there are. */
  public long jobs() {
    return pace.now().jobs();
  }

  /** How many run. */
  public long inFlight() {
    return inFlight(running, pace);
  }

  /** How many are due and wait. */
  public long due() {
    return forecast.overdue().jobs();
  }

  /** Whether that number is no estimate. */
  public boolean isDueExact() {
    return forecast.overdue().exact();
  }

  /** How many wait, but are not due yet. */
  public long later() {
    return Math.max(0, jobs() - inFlight() - due());
  }

  /** How long the first of them has waited; {@code null} where none does. */
  public @Nullable Duration oldestDue() {
    return due() == 0 ? null : pace.now().oldestDueAge();
  }

  /** How many of those that are not due yet are held, as far as that is known. */
  long heldJobs() {
    return held == null ? 0 : Math.min(held.count(), later());
  }

  /** Whether a due job has waited for so long. */
  boolean isLate(Duration than) {
    Duration oldest = oldestDue();
    return oldest != null && oldest.compareTo(than) > 0;
  }

  /** Whether as many run as may; that is no matter while none waits. */
  boolean isFull() {
    return queue.maxConcurrency() != null && inFlight() >= queue.maxConcurrency();
  }

  /** What becomes of those that wait; {@code null} without a limit. */
  public @Nullable CatchUp catchUp() {
    return limiter == null
        ? null
        : CatchUp.of(ComingPermits.of(limiter), (double) due(), pace.demand());
  }

  /** How long all jobs take; {@code null} where nothing tells. */
  public @Nullable Duration drain() {
    return queue.paused() ? null : pace.drain(limiter);
  }
}
