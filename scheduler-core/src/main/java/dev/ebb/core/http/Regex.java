package dev.ebb.core.http;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.ebb.core.InvalidInput;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;

/**
 * Regular expressions as RE2 has them: without look-around and back-references. With Java's, a body
 * that others send could take exponential time; with these it takes its length times their size,
 * and both are bounded.
 *
 * <p>A count multiplies what it repeats when the expression is compiled, and one in another
 * multiplies again: {@code (a{1000}){1000}} is a million steps. So the size is bounded before.
 *
 * <p>An expression is compiled once, not for each body. Those that were used last are kept, as many
 * as have {@value #MOST_STEPS} steps together, so that the expressions of ten thousand
 * destinations, or of jobs that bring their own, do not fill the memory.
 */
final class Regex {
  static final int MAX_CHARACTERS = 200;

  /** Characters, with those that are counted as often as they are repeated. */
  static final int MAX_SIZE = 500;

  /** {@code {n}}, {@code {n,}} and {@code {n,m}}, and whether a group is repeated. */
  private static final java.util.regex.Pattern COUNT =
      java.util.regex.Pattern.compile("(\\))?\\{(\\d+)(?:,(\\d*))?}");

  /** Of all compiled expressions that are kept. */
  static final int MOST_STEPS = 20_000;

  private static final Map<Case, Pattern> COMPILED = new LinkedHashMap<>(16, 0.75f, true);
  private static int steps;

  /** An expression, and how it is meant. */
  private record Case(String regex, boolean ignored) {}

  private Regex() {}

  /** Throws {@link InvalidInput} on the field unless it is a regular expression of that size. */
  static void require(String regex, String field) {
    InvalidInput.require(
        !regex.isEmpty() && regex.length() <= MAX_CHARACTERS,
        field,
        "must be 1 to " + MAX_CHARACTERS + " characters");
    InvalidInput.require(
        size(regex) <= MAX_SIZE,
        field,
        "must repeat less: at most " + MAX_SIZE + " characters, counted as often as they repeat");
    try {
      var _ = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new InvalidInput(
          field, "must be a regular expression of RE2, without look-around: " + e.getDescription());
    }
  }

  /** No less than that of what it is compiled to, but for a small factor. */
  private static long size(String regex) {
    long characters = regex.length();
    long groups = 1;
    for (MatchResult count : COUNT.matcher(regex).results().toList()) {
      String most = count.group(3);
      int times = Math.max(1, Math.max(number(count.group(2)), most == null ? 0 : number(most)));
      if (count.group(1) == null) {
        characters += times;
      } else {
        groups = Math.min(MAX_SIZE + 1, groups * times);
      }
    }
    return characters * groups;
  }

  private static int number(String digits) {
    return digits.isEmpty() ? 0 : digits.length() > 4 ? MAX_SIZE + 1 : Integer.parseInt(digits);
  }

  /** Whether it matches all of the text. */
  static boolean matches(String regex, boolean ignoreCase, String text) {
    return compiled(regex, ignoreCase).matcher(text).matches();
  }

  /** Of two that compile it at a time, both do. */
  static Pattern compiled(String regex, boolean ignoreCase) {
    Case wanted = new Case(regex, ignoreCase);
    synchronized (COMPILED) {
      Pattern known = COMPILED.get(wanted);
      if (known != null) {
        return known;
      }
    }
    Pattern compiled = Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
    keep(wanted, compiled);
    return compiled;
  }

  private static void keep(Case wanted, Pattern compiled) {
    synchronized (COMPILED) {
      Pattern before = COMPILED.put(wanted, compiled);
      steps += compiled.programSize() - (before == null ? 0 : before.programSize());
      Iterator<Pattern> eldest = COMPILED.values().iterator();
      while (steps > MOST_STEPS && eldest.hasNext()) {
        steps -= eldest.next().programSize();
        eldest.remove();
      }
    }
  }

  /** How many steps the kept ones have. */
  static int keptSteps() {
    synchronized (COMPILED) {
      return COMPILED.values().stream().mapToInt(Pattern::programSize).sum();
    }
  }
}
