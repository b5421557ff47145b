package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The rule for missed fires.
 *
 * @param most how many of them submit a job under the rule {@code ALL}, 1 to {@value #MAX_MOST}
 */
public record Misfires(Rule rule, int most) {
  /** A fire that is served later than that is a misfire. */
  public static final Duration AFTER = Duration.ofSeconds(60);

  public static final int MAX_MOST = 1_000;

  /** What holds where nothing is said. */
  public static final Misfires DEFAULT = new Misfires(Rule.ONCE, 100);

  /** Which of the misfires make a job. */
  public enum Rule {
    /** None of them. */
    SKIP,
    /** The latest one, for all of them. */
    ONCE,
    /** The latest ones, each for itself. */
    ALL;

    /** The name in bodies, answers and SQL. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The rule of that name. */
    public static Optional<Rule> of(String word) {
      return Arrays.stream(values()).filter(rule -> rule.word().equals(word)).findFirst();
    }

    /** All names. */
    public static List<String> words() {
      return Arrays.stream(values()).map(Rule::word).toList();
    }
  }

  public Misfires {
    requireBetween(most, 1, MAX_MOST, "mostMisfires");
  }

  /** How many misfires may make a job. */
  int mostJobs() {
    return switch (rule) {
      case SKIP -> 0;
      case ONCE -> 1;
      case ALL -> most;
    };
  }
}
