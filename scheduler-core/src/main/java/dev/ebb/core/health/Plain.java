package dev.ebb.core.health;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;

/** Numbers as sentences have them. */
public final class Plain {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private static final MathContext DIGITS = new MathContext(3);
  private static final int WHOLE = 1_000;

  private Plain() {}

  /** The length by its largest unit. */
  public static String length(Duration length) {
    Duration size = length.abs();
    if (size.compareTo(Duration.ofSeconds(1)) < 0) {
      return size.toMillis() + " ms";
    }
    long seconds = size.toSeconds();
    if (seconds < 120 && seconds != 60) {
      return seconds + " s";
    }
    if (seconds < 120 * 60 && seconds != 60 * 60) {
      return seconds / 60 + " min";
    }
    return seconds < 2 * 86_400 ? seconds / 3_600 + " h" : seconds / 86_400 + " days";
  }

  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String text = String.format(Locale.ROOT, unit == 0 || value >= 10 ? "%.0f" : "%.1f", value);
    return text.replaceFirst("\\.0$", "") + " " + UNITS[unit];
  }

  static double seconds(Duration length) {
    return length.toNanos() / 1e9;
  }

  /** A rate with what matters of it: three digits, or as many as a whole number has. */
  public static String rate(double rate) {
    return Math.abs(rate) >= WHOLE
        ? number(Math.round(rate))
        : new BigDecimal(rate).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /** The number with its thousands apart. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The text as SQL has it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
