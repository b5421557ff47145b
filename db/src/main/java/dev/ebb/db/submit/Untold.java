package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Jobs that no notification tells of. Workers look for what becomes due after it was stored, if
 * only a moment later.
 */
public final class Untold {
  private static final Duration MOMENT = Duration.of(1, ChronoUnit.MICROS);

  private Untold() {}

  /** The jobs as workers find them. */
  public static List<NewJob> lookedFor(List<NewJob> jobs) {
    return jobs.stream().map(Untold::lookedFor).toList();
  }

  private static NewJob lookedFor(NewJob job) {
    Duration delay = job.delay();
    boolean isDueAtOnce = job.runAt() == null && (delay == null || delay.isZero());
    return isDueAtOnce ? job.toBuilder().delay(MOMENT).build() : job;
  }
}
