package dev.ebb.ui.words;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lengths, instants and numbers as people read them. */
public final class Words {
  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final int MANY = 2;
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  private Words() {}

  /** The instant in full, in UTC. */
  public static String exact(Instant at) {
    return EXACT.format(at);
  }

  /** The instant as seen from now: {@code 3 min ago}, {@code in 2 h}. */
  public static String relative(Instant at, Instant now) {
    Duration away = Duration.between(now, at);
    if (away.abs().toMillis() < 1_000) {
      return "now";
    }
    return away.isNegative() ? coarse(away.negated()) + " ago" : "in " + coarse(away);
  }

  /** The length by its largest unit, from seconds up: {@code 45 s}, {@code 3 min}, {@code 2 d}. */
  public static String coarse(Duration length) {
    long seconds = length.toSeconds();
    if (seconds < 100) {
      return seconds + " s";
    }
    if (seconds < 100 * 60) {
      return seconds / 60 + " min";
    }
    return seconds < MANY * 86_400 ? seconds / 3_600 + " h" : number(seconds / 86_400) + " d";
  }

  /** The length by its two largest units: {@code 1 min 30 s}, {@code 250 ms}; and none for null. */
  public static String length(@Nullable Duration length) {
    if (length == null) {
      return "–";
    }
    if (length.isNegative()) {
      return "−" + length(length.negated());
    }
    long millis = length.toMillis();
    if (millis < 10) {
      return trimmed(length.toNanos() / 1e6) + " ms";
    }
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return trimmed(millis / 1e3) + " s";
    }
    return pair(length);
  }

  /** The length by its largest unit, with a fraction where that is short: {@code 6.6 h}. */
  public static String about(Duration length) {
    double seconds = length.toNanos() / 1e9;
    if (seconds < 120) {
      return seconds < 1 ? length(length) : rounded(seconds) + " s";
    }
    if (seconds < 7_200) {
      return rounded(seconds / 60) + " min";
    }
    return seconds < MANY * 86_400
        ? rounded(seconds / 3_600) + " h"
        : rounded(seconds / 86_400) + " d";
  }

  private static String rounded(double number) {
    return number < 20
        ? String.format(Locale.ROOT, "%.1f", number).replace(".0", "")
        : number(Math.round(number));
  }

  private static String pair(Duration length) {
    long seconds = length.toSeconds();
    if (seconds < 3_600) {
      return joined(seconds / 60, "min", seconds % 60, "s");
    }
    if (seconds < 86_400) {
      return joined(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
    }
    return joined(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h");
  }

  private static String joined(long large, String unit, long small, String smaller) {
    return number(large) + " " + unit + (small == 0 ? "" : " " + small + " " + smaller);
  }

  /** The number with its thousands apart: {@code 18,204}. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /**
   * The same, marked where it is an estimate: {@code ~18,204}. A sample without any says nothing:
   * {@code –}.
   */
  public static String number(long number, boolean exact) {
    if (exact) {
      return number(number);
    }
    return isKnown(number, false) ? "~" + number(number) : "–";
  }

  /** Whether the number says anything: a sample without any may have missed some. */
  public static boolean isKnown(long number, boolean exact) {
    return exact || number > 0;
  }

  /** The number with what it counts: {@code 1 job}, {@code ~18,204 jobs}; or that alone. */
  public static String counted(long number, boolean exact, String noun) {
    String nouns = noun + (number == 1 ? "" : "s");
    return isKnown(number, exact) ? number(number, exact) + " " + nouns : nouns;
  }

  /** The same of an exact number. */
  public static String counted(long number, String noun) {
    return counted(number, true, noun);
  }

  /** A rate or a share with what matters of its fraction: {@code 12}, {@code 0.25}. */
  public static String trimmed(double number) {
    String text = String.format(Locale.ROOT, Math.abs(number) < 10 ? "%.2f" : "%.1f", number);
    return text.replaceFirst("\\.?0+$", "");
  }

  /** A share of one as percent. */
  public static String percent(double share) {
    return trimmed(100 * share) + " %";
  }

  /** A size by its largest unit: {@code 1.5 GiB}; and none for null. */
  public static String bytes(@Nullable Long bytes) {
    if (bytes == null) {
      return "–";
    }
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.size() - 1) {
      size /= 1024;
      unit++;
    }
    return trimmed(size) + " " + UNITS.get(unit);
  }

  /** The beginning of an id, which is enough to tell it from its neighbours. */
  public static String shortened(String id) {
    return id.length() > 13 ? "…" + id.substring(id.length() - 12) : id;
  }

  /** A state's word as a sentence has it: {@code dead letter}; one that is available is due. */
  public static String state(String word) {
    return word.equals("available") ? "due" : word.replace('_', ' ');
  }
}
