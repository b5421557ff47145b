package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Some of the statuses that a response may have.
 *
 * @param words 1 to {@value #MAX_WORDS}, each {@code any}, a class such as {@code 2xx}, or a status
 *     from 100 to 599
 */
public record StatusSet(List<String> words) {
  public static final int MAX_WORDS = 20;

  private static final Pattern WORD = Pattern.compile("any|[1-5]xx|[1-5][0-9]{2}");

  public static final StatusSet ANY = of("any");

  public StatusSet {
    words = words.stream().distinct().toList();
    require(
        !words.isEmpty()
            && words.size() <= MAX_WORDS
            && words.stream().allMatch(word -> WORD.matcher(word).matches()),
        "statuses",
        "must be 1 to " + MAX_WORDS + " of any, 1xx to 5xx, and 100 to 599");
  }

  public static StatusSet of(String... words) {
    return new StatusSet(List.of(words));
  }

  public boolean contains(int status) {
    return words.contains("any")
        || words.contains(status / 100 + "xx")
        || words.contains(String.valueOf(status));
  }
}
