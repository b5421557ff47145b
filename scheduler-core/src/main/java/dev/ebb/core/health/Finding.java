package dev.ebb.core.health;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing about the database, and how it stands.
 *
 * @param code by which scripts know it
 * @param measure the number that was judged; {@code null} where none was
 * @param summary what is so
 * @param rule when it would be wrong
 * @param advice what to do, and what that costs; empty where nothing is to be done
 * @param commands that do it
 */
public record Finding(
    String code,
    Theme theme,
    Verdict verdict,
    @Nullable Measure measure,
    String summary,
    String rule,
    String advice,
    List<String> commands) {

  /**
   * A number.
   *
   * @param limit by which it was judged; with zeros if it was not judged by its size
   */
  public record Measure(double value, Limit limit) {}

  public Finding {
    commands = List.copyOf(commands);
  }

  /** The worst verdict of all of them. */
  public static Verdict worst(Collection<Finding> findings) {
    return findings.stream()
        .map(Finding::verdict)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.OK);
  }

  static Finding of(String code, Theme theme, Verdict verdict, String summary, String rule) {
    return new Finding(code, theme, verdict, null, summary, rule, "", List.of());
  }

  /** One that could not be judged. */
  static Finding unknown(
      String code, Theme theme, String summary, String advice, String... commands) {
    return new Finding(
        code,
        theme,
        Verdict.UNKNOWN,
        null,
        summary,
        "It could not be judged.",
        advice,
        List.of(commands));
  }

  Finding measured(Limit limit, double value) {
    Measure measured = new Measure(value, limit);
    return new Finding(code, theme, verdict, measured, summary, rule, advice, commands);
  }

  Finding measured(Limit limit, long value) {
    return measured(limit, (double) value);
  }

  Finding measured(Limit limit, Duration value) {
    return measured(limit, value.toNanos() / 1e9);
  }

  /** With what to do, unless it is well. */
  Finding mend(String advice, String... commands) {
    return verdict == Verdict.OK
        ? this
        : new Finding(code, theme, verdict, measure, summary, rule, advice, List.of(commands));
  }
}
