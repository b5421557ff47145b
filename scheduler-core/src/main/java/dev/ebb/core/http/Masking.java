package dev.ebb.core.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hides what the record of an attempt must not keep: the values of headers and query parameters
 * whose names speak of a secret. Bodies and paths are kept as they are.
 */
public final class Masking {
  /** The rest of a longer header value is dropped before anything else is done with it. */
  static final int MAX_VALUE = 1024;

  /** What stands in the place of a secret. */
  public static final String MASK = "***";

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "authoriz|cookie|token|secret|signature|^sig$|^sign$|passw|passphrase|^pwd$|credential"
              + "|api[-_]?key|access[-_]?key|private[-_]?key|(?:^|[-_.])key$|(?-i:[a-z0-9]Key$)"
              + "|hmac|session|^auth$|x-auth|jwt|assertion|^code$",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern OPEN_NAME =
      Pattern.compile("(?:x[-_])?idempotency[-_]?key|webhook-id", Pattern.CASE_INSENSITIVE);

  // Neither pattern can run over a character that it may also begin with: so each is linear.
  private static final Pattern PARAMETER = Pattern.compile("[?&;]([^=&;#?]*)=");
  private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/?#\\s]*@");
  private static final Pattern USER_INFO_OR_END = Pattern.compile("(?<=//)[^/?#\\s]*(?:@|\\z)");
  private static final Pattern ESCAPED = Pattern.compile("%([0-9a-fA-F]{2})");

  private Masking() {}

  /** Whether something of a header's value is hidden, however much of it is kept. */
  public static boolean hides(String name, String value) {
    return isSecret(name) || !url(value).equals(value);
  }

  public static String header(String name, String value) {
    if (isSecret(name)) {
      return MASK;
    }
    if (value.length() <= MAX_VALUE) {
      return url(value);
    }
    // The @ that ends a user information may lie in what is dropped.
    String kept = value.substring(0, MAX_VALUE);
    return parameters(USER_INFO_OR_END.matcher(kept).replaceAll(MASK + "@"));
  }

  /** The text with the secrets of every URL in it hidden; takes time linear in its length. */
  public static String url(String text) {
    return parameters(USER_INFO.matcher(text).replaceAll(MASK + "@"));
  }

  /** A secret's value ends at the next parameter; another's may hold a URL with secrets in it. */
  private static String parameters(String text) {
    StringBuilder masked = new StringBuilder(text.length());
    Matcher parameter = PARAMETER.matcher(text);
    int copied = 0;
    int from = 0;
    while (parameter.find(from)) {
      from = parameter.end();
      if (isSecret(unescaped(parameter.group(1)))) {
        masked.append(text, copied, from).append(MASK);
        from = endOfValue(text, from);
        copied = from;
      }
    }
    return masked.append(text, copied, text.length()).toString();
  }

  private static int endOfValue(String text, int from) {
    int end = from;
    while (end < text.length() && "&;#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static boolean isSecret(String name) {
    return SECRET_NAME.matcher(name).find() && !OPEN_NAME.matcher(name).matches();
  }

  private static String unescaped(String name) {
    return ESCAPED
        .matcher(name)
        .replaceAll(escape ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
  }
}
