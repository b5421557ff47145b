package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The times of a schedule: a cron expression or an interval. */
public sealed interface Timing {
  /** What it means, in plain words. */
  String words();

  /** Local times of the schedule's zone. */
  record ByCron(Cron cron) implements Timing {
    @Override
    public String words() {
      return cron.words();
    }
  }

  /**
   * Instants that lie as far apart, counted from the schedule's start.
   *
   * @param interval PT1S to P366D in whole seconds
   */
  record Every(Duration interval) implements Timing {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofDays(366);

    public Every {
      InvalidInput.requireBetween(interval, LEAST, MOST, "every");
      require(
          interval.equals(interval.truncatedTo(ChronoUnit.SECONDS)),
          "every",
          "must be in whole seconds");
    }

    @Override
    public String words() {
      return IntervalWords.of(interval.toSeconds());
    }
  }
}
