package dev.ebb.worker.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hides what the record of an attempt must not keep: the values of headers and query parameters
 * whose names speak of a secret. Bodies and paths are kept as they are.
 */
final class Masking {
  private static final String MASK = "***";
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "authoriz|cookie|token|secret|signature|^sig$|^sign$|passw|passphrase|^pwd$|credential"
              + "|api[-_]?key|access[-_]?key|private[-_]?key|^key$|session|^auth$|x-auth",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern PARAMETER = Pattern.compile("([?&;])([^=&;#]*)=([^&;#]*)");
  private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/?#@\\s]*@");
  private static final Pattern ESCAPED = Pattern.compile("%([0-9a-fA-F]{2})");

  private Masking() {}

  static String header(String name, String value) {
    return isSecret(name) ? MASK : url(value);
  }

  /** The text with the secrets of every URL in it hidden. */
  static String url(String text) {
    return PARAMETER
        .matcher(USER_INFO.matcher(text).replaceAll(MASK + "@"))
        .replaceAll(parameter ->
            Matcher.quoteReplacement(
                isSecret(unescaped(parameter.group(2)))
                    ? parameter.group(1) + parameter.group(2) + "=" + MASK
                    : parameter.group()));
  }

  private static boolean isSecret(String name) {
    return SECRET_NAME.matcher(name).find();
  }

  private static String unescaped(String name) {
    return ESCAPED
        .matcher(name)
        .replaceAll(escape ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
  }
}
