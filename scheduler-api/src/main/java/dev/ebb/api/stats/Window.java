package dev.ebb.api.stats;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.api.http.Query;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The steps that a series is to show: from the beginning of the one that {@code from} lies in to
 * the end of the one before {@code to}.
 */
record Window(Step step, Instant from, Instant to) {
  private static final int MOST_STEPS = 1_500;
  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  /** How long a step is. */
  enum Step {
    MINUTE("1m", 1, 60),
    HOUR("1h", 60, 48),
    DAY("1d", 1440, 30);

    private final String word;
    private final int minutes;
    private final int byDefault;

    Step(String word, int minutes, int byDefault) {
      this.word = word;
      this.minutes = minutes;
      this.byDefault = byDefault;
    }

    String word() {
      return word;
    }

    int minutes() {
      return minutes;
    }

    private Duration length(int steps) {
      return Duration.ofMinutes((long) minutes * steps);
    }

    private Instant floor(Instant instant) {
      long seconds = length(1).toSeconds();
      return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
    }

    private Instant ceiling(Instant instant) {
      Instant floor = floor(instant);
      return floor.equals(instant) ? floor : floor.plus(length(1));
    }

    static Step of(@Nullable String word) {
      for (Step step : values()) {
        if (word == null || step.word.equals(word)) {
          return step;
        }
      }
      require(false, "step", "must be 1m, 1h or 1d");
      throw new AssertionError();
    }
  }

  /** Without {@code to} until now; without {@code from} an hour, two days or thirty days. */
  static Window of(Query query) {
    Step step = Step.of(query.value("step"));
    Instant givenTo = query.instant("to");
    Instant givenFrom = query.instant("from");
    Instant to = step.ceiling(inRange("to", givenTo == null ? Instant.now() : givenTo));
    Instant from =
        givenFrom == null
            ? to.minus(step.length(step.byDefault))
            : step.floor(inRange("from", givenFrom));
    require(from.isBefore(to), "from", "must lie before to");
    require(
        !from.plus(step.length(MOST_STEPS)).isBefore(to),
        "from",
        "must lie no more than 1,500 steps before to");
    return new Window(step, from, to);
  }

  private static Instant inRange(String name, Instant instant) {
    require(
        !instant.isBefore(FIRST) && !instant.isAfter(LAST),
        name,
        "must lie between " + FIRST + " and " + LAST);
    return instant;
  }
}
