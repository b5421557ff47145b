package dev.ebb.ui.words;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes searches in the language of tokens. */
public final class Search {
  private static final Pattern TOKEN =
      Pattern.compile("(?:\"(?:[^\"\\\\]++|\\\\.)*+\"?|[^\\s\"]++)++");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.=-]+");

  /** The API refuses a longer one. */
  public static final int MAX_LENGTH = 1_000;

  private Search() {}

  /** A token whose value may hold blanks and quotes. */
  public static String token(String field, String value) {
    return field + ":" + quoted(value);
  }

  private static String quoted(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /**
   * The search with this as its only token of the field.
   *
   * @param value a plain word; {@code null} for no such token
   */
  public static String with(@Nullable String search, String field, @Nullable String value) {
    String others =
        tokens(search).filter(token -> !isOf(field, token)).collect(Collectors.joining(" "));
    return value == null ? others : (token(field, value) + " " + others).strip();
  }

  /** Whether the search has the token. */
  public static boolean has(@Nullable String search, String token) {
    return tokens(search).anyMatch(token::equals);
  }

  /** Whether the search has a token of the field. */
  public static boolean hasField(@Nullable String search, String field) {
    return tokens(search).anyMatch(token -> isOf(field, token));
  }

  /** Where the token ends that begins there. */
  static int endOfToken(String search, int from) {
    Matcher token = TOKEN.matcher(search).region(from, search.length());
    return token.lookingAt() ? token.end() : search.length();
  }

  private static boolean isOf(String field, String token) {
    return token.startsWith(field + ":") || token.startsWith("-" + field + ":");
  }

  private static Stream<String> tokens(@Nullable String search) {
    return search == null || search.length() > MAX_LENGTH
        ? Stream.empty()
        : TOKEN.matcher(search).results().map(MatchResult::group);
  }
}
