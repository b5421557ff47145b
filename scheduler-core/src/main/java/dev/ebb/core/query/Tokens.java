package dev.ebb.core.query;

import dev.ebb.core.query.Condition.Comparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cuts a query into tokens at its blanks, except those in quotes. */
final class Tokens {
  private static final Pattern FIELD =
      Pattern.compile(
          "([A-Za-z][A-Za-z0-9_]*|[A-Za-z][A-Za-z0-9_.-]*(?==)|payload\\.[^\\s\":<>=]+(?=[:<>=]))"
              + "(:|>=|<=|>|<|=)(?s:.*)");

  private final String query;
  private int at;

  private Tokens(String query) {
    this.query = query;
  }

  static List<Token> of(String query) {
    Tokens tokens = new Tokens(query);
    List<Token> found = new ArrayList<>();
    for (Token next = tokens.next(); next != null; next = tokens.next()) {
      found.add(next);
    }
    return found;
  }

  private @Nullable Token next() {
    while (at < query.length() && Character.isWhitespace(query.charAt(at))) {
      at++;
    }
    if (at == query.length()) {
      return null;
    }
    int start = at;
    while (at < query.length() && !Character.isWhitespace(query.charAt(at))) {
      at = query.charAt(at) == '"' ? endOfQuote(start) : at + 1;
    }
    return token(query.substring(start, at), start + 1);
  }

  /** Behind the quote that ends what begins here. */
  private int endOfQuote(int start) {
    int end = at + 1;
    while (end < query.length() && query.charAt(end) != '"') {
      end += query.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= query.length()) {
      throw new InvalidQuery(query.substring(start), start + 1, "must have a closing quote");
    }
    return end + 1;
  }

  private static Token token(String text, int position) {
    boolean negated = text.startsWith("-");
    String positive = negated ? text.substring(1) : text;
    Matcher parts = FIELD.matcher(positive);
    if (!parts.matches()) {
      return new Token(text, position, negated, "", null, unquoted(positive));
    }
    String value = unquoted(positive.substring(parts.end(2)));
    return new Token(text, position, negated, parts.group(1), comparison(parts.group(2)), value);
  }

  private static Comparison comparison(String sign) {
    return Arrays.stream(Comparison.values())
        .filter(comparison -> comparison.sign().equals(sign))
        .findFirst()
        .orElseThrow();
  }

  /** Without quotes, and without the backslash before a quote or a backslash in them. */
  private static String unquoted(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else {
        plain.append(quoted && c == '\\' ? text.charAt(++i) : c);
      }
    }
    return plain.toString();
  }
}
