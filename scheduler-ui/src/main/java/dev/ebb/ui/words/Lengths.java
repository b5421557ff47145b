package dev.ebb.ui.words;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lengths of time as people type them: {@code 30s}, {@code 2h}. What is none goes on as it is, for
 * the API to judge.
 */
public final class Lengths {
  private static final Pattern TYPED =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?(ms|s|m|min|h|d)");
  private static final Pattern ISO = Pattern.compile("PT(\\d+(?:\\.\\d+)?)([SMH])");

  private Lengths() {}

  /** What was typed, as ISO 8601 writes it. */
  public static String iso(String typed) {
    Matcher length = TYPED.matcher(typed.toLowerCase(Locale.ROOT));
    if (!length.matches()) {
      return typed;
    }
    String number = length.group(1);
    return switch (length.group(2)) {
      case "ms" -> "PT" + Double.parseDouble(number) / 1e3 + "S";
      case "s" -> "PT" + number + "S";
      case "h" -> number.contains(".") ? seconds(number, 3_600) : "PT" + number + "H";
      case "d" -> number.contains(".") ? seconds(number, 86_400) : "P" + number + "D";
      default -> number.contains(".") ? seconds(number, 60) : "PT" + number + "M";
    };
  }

  private static String seconds(String number, int unit) {
    return "PT" + Math.round(Double.parseDouble(number) * unit) + "S";
  }

  /** {@code PT30S} as people type it. */
  public static String typed(String iso) {
    Matcher one = ISO.matcher(iso);
    return one.matches() ? one.group(1) + one.group(2).toLowerCase(Locale.ROOT) : iso;
  }

  /** The length as people type it: {@code 15m}, {@code 7d}. */
  public static String typed(Duration length) {
    boolean isDays = length.toDays() > 0 && length.equals(Duration.ofDays(length.toDays()));
    return isDays ? length.toDays() + "d" : typed(length.toString());
  }
}
