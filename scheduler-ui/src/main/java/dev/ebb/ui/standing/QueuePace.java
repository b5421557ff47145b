package dev.ebb.ui.standing;

import dev.ebb.contract.Limiter;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStanding.LastMinutes;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.limit.ComingPermits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a queue stands, and how fast it moved in the last five minutes.
 *
 * @param asOf when it was read
 */
public record QueuePace(QueueStanding now, Instant asOf) {
  private static final int LATELY = 5;
  private static final double SECONDS = 60;

  /** That of the only queue of an answer. */
  public static QueuePace of(StatsOverview overview) {
    return new QueuePace(overview.items().getFirst(), overview.asOf());
  }

  /** Whether there is anything of it. */
  public boolean isKnown() {
    return now.jobs() + now.deadLetters() > 0
        || now.recent().stream()
            .anyMatch(one -> one.counts().values().stream().anyMatch(n -> n > 0));
  }

  /** Jobs a minute that came. */
  public double in() {
    return SECONDS * perSecond("submitted", "redriven");
  }

  /** Jobs a minute that ended. */
  public double out() {
    return SECONDS * perSecond("completed", "cancelled", "dead");
  }

  /**
   * What became due, a second: jobs that came, and attempts that are to be repeated. Those that
   * come due later are taken as if they did at once, which evens out in a queue that goes on as it
   * did.
   */
  public double demand() {
    double repeated = perSecond("failed", "throttled", "snoozed", "givenBack") - perSecond("dead");
    return perSecond("submitted", "redriven") + Math.max(0, repeated);
  }

  /** How many jobs ended in the last minutes: 1, 5 or 15. */
  long ended(int minutes) {
    return now.of(minutes, "completed") + now.of(minutes, "cancelled") + now.of(minutes, "dead");
  }

  /** How many attempts ended in the last five minutes. */
  public long attempts() {
    return failures() + now.of(LATELY, "completed");
  }

  /** How many of them failed. */
  public long failures() {
    return now.of(LATELY, "failed") + now.of(LATELY, "throttled");
  }

  /**
   * How long the jobs take at the rate at which they complete, or at which they may start, if that
   * takes longer; {@code null} where none does.
   *
   * @param limiter {@code null} without a limit
   */
  public @Nullable Duration drain(@Nullable Limiter limiter) {
    double completed = perSecond("completed");
    if (now.jobs() == 0 || completed == 0) {
      return null;
    }
    double starts = limiter == null ? 0 : ComingPermits.of(limiter).seconds((double) now.jobs());
    return Duration.ofSeconds((long) Math.ceil(Math.max(now.jobs() / completed, starts)));
  }

  private double perSecond(String... counters) {
    double sum = 0;
    for (String counter : counters) {
      sum += now.of(LATELY, counter);
    }
    return sum / seconds();
  }

  private double seconds() {
    return now.recent().stream()
        .filter(one -> one.minutes() == LATELY)
        .map(LastMinutes::from)
        .mapToDouble(from -> Math.max(1, Duration.between(from, asOf).toMillis() / 1e3))
        .findAny()
        .orElse(LATELY * SECONDS);
  }
}
