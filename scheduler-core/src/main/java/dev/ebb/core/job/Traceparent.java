package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How W3C Trace Context (section 3.2) writes a span, and so the trace that it belongs to. */
public final class Traceparent {
  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private Traceparent() {}

  /** Whether the text keeps the rules of version 00. */
  public static boolean isValid(String text) {
    return VALID.matcher(text).matches();
  }

  static void check(@Nullable String text) {
    require(
        text == null || isValid(text),
        "traceparent",
        "must be a traceparent of W3C Trace Context, version 00");
  }
}
