package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How W3C Trace Context (section 3.2) writes a span, and so the trace that it belongs to. It is
 * kept as version 00 writes it.
 */
public final class Traceparent {
  private static final String SPAN = "(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-";
  private static final Pattern VALID = Pattern.compile("00-" + SPAN + "[0-9a-f]{2}");
  private static final Pattern LATER =
      Pattern.compile("(?!00|ff)[0-9a-f]{2}-(" + SPAN + ")[0-9a-f]([0-9a-f])(?:-.*)?");

  private Traceparent() {}

  /** Whether the text keeps the rules of version 00. */
  public static boolean isValid(String text) {
    return VALID.matcher(text).matches();
  }

  /**
   * What the text says in version 00; {@code null} if it breaks the rules. Of a later version it
   * says the span, and whether it is sampled.
   */
  public static @Nullable String read(String text) {
    if (isValid(text)) {
      return text;
    }
    Matcher later = LATER.matcher(text);
    return later.matches()
        ? "00-" + later.group(1) + "0" + (Character.digit(later.group(2).charAt(0), 16) & 1)
        : null;
  }

  static void check(@Nullable String text) {
    require(
        text == null || isValid(text),
        "traceparent",
        "must be a traceparent of W3C Trace Context, version 00");
  }
}
