package dev.ebb.ui.words;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A search with the token in it that breaks a rule.
 *
 * @param before what comes before the token
 * @param after what follows it
 */
public record Fault(String before, String token, String after) {
  private static final Pattern PLACE = Pattern.compile("\\(position ([0-9]{1,4}),");

  /** The place that a refusal names; {@code null} if it names none. */
  public static @Nullable Fault of(String search, String refusal) {
    Matcher place = PLACE.matcher(refusal);
    int from = place.find() ? Integer.parseInt(place.group(1)) - 1 : -1;
    if (from < 0 || from >= search.length()) {
      return null;
    }
    int end = Search.endOfToken(search, from);
    return new Fault(search.substring(0, from), search.substring(from, end), search.substring(end));
  }
}
