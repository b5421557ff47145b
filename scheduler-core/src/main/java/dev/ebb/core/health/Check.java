package dev.ebb.core.health;

import dev.ebb.core.health.Figure.Server;
import dev.ebb.core.health.Finding.Measure;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One entry of the table of checks, which makes its findings.
 *
 * @param code by which scripts know what it finds
 * @param figures that it looks at
 * @param rule when something is wrong, in words
 * @param judge says of the figures, all of which were read, how it is
 */
record Check(
    Theme theme,
    String code,
    List<Figure<?>> figures,
    String rule,
    BiFunction<Check, Figures, Finding> judge) {

  /** One that looks at a single figure. */
  static <T> Check of(
      Theme theme, String code, Figure<T> figure, BiFunction<Check, T, Finding> judge) {
    return of(theme, code, List.of(figure), (check, all) -> judge.apply(check, all.get(figure)));
  }

  static Check of(
      Theme theme,
      String code,
      List<Figure<?>> figures,
      BiFunction<Check, Figures, Finding> judge) {
    return new Check(theme, code, figures, "", judge);
  }

  Check rule(String words) {
    return new Check(theme, code, figures, words, judge);
  }

  /** Whether what it looks at was asked for. */
  boolean isFor(Figures given) {
    return figures.stream().allMatch(given::has);
  }

  /** What it finds; of a figure that could not be read, that nothing is known. */
  Finding of(Figures given) {
    for (Figure<?> figure : figures) {
      String why = given.unread(figure);
      if (why != null) {
        return unknown(figure.unread() + ": " + why + ".", figure.advice());
      }
    }
    return judge.apply(this, given);
  }

  Finding ok(String summary) {
    return of(Verdict.OK, summary, "");
  }

  Finding warn(String summary, String advice, String... commands) {
    return of(Verdict.WARN, summary, advice, commands);
  }

  Finding bad(String summary, String advice, String... commands) {
    return of(Verdict.BAD, summary, advice, commands);
  }

  Finding unknown(String summary, String advice, String... commands) {
    return of(Verdict.UNKNOWN, summary, advice, commands);
  }

  /** Of what Ebb's role may not see. */
  Finding hidden(String summary, Server server) {
    return unknown(
        summary,
        "Let the nodes' role read the statistics. It may then see what others run, and change"
            + " nothing.",
        "grant pg_monitor to " + server.role() + ";");
  }

  /** By the size of a number. */
  Finding by(Limit limit, double value, String summary, String advice, String... commands) {
    return of(limit.of(value), summary, advice, commands).measured(new Measure(value, limit));
  }

  /** By a length. */
  Finding by(Limit limit, Duration value, String summary, String advice, String... commands) {
    return by(limit, Plain.seconds(value), summary, advice, commands);
  }

  /** What to do is said unless all is well. */
  Finding of(Verdict verdict, String summary, String advice, String... commands) {
    return verdict == Verdict.OK
        ? new Finding(code, theme, verdict, null, summary, rule, "", List.of())
        : new Finding(code, theme, verdict, null, summary, rule, advice, List.of(commands));
  }
}
