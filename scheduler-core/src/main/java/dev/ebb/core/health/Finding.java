package dev.ebb.core.health;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check found.
 *
 * @param code by which scripts know it
 * @param measure the number that it is about; {@code null} where there is none
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

  /** The worst verdict of all of them. */
  public static Verdict worst(Collection<Finding> findings) {
    return findings.stream()
        .map(Finding::verdict)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.OK);
  }

  Finding measured(Measure number) {
    return new Finding(code, theme, verdict, number, summary, rule, advice, commands);
  }

  /** With a number of that unit, which is not judged by its size. */
  Finding measured(double value, String unit) {
    return measured(new Measure(value, new Limit(unit, 0, 0)));
  }
}
