package dev.ebb.core.health;

import java.time.Duration;

/**
 * From where on a number is a warning, and from where on it is bad.
 *
 * @param unit {@code seconds}, {@code bytes}, {@code ratio}, or what is counted
 */
public record Limit(String unit, double warn, double bad) {
  /** How long a due job may wait. */
  public static final Limit DUE = seconds(Duration.ofMinutes(1), Duration.ofMinutes(10));

  /** How far a clock may be from the database's. */
  public static final Limit CLOCK = seconds(Duration.ofSeconds(1), Duration.ofMinutes(1));

  static Limit seconds(Duration warn, Duration bad) {
    return new Limit("seconds", Plain.seconds(warn), Plain.seconds(bad));
  }

  /** The verdict on a length. */
  public Verdict of(Duration length) {
    return of(Plain.seconds(length.abs()));
  }

  Verdict of(double value) {
    return value >= bad ? Verdict.BAD : value >= warn ? Verdict.WARN : Verdict.OK;
  }

  /** The rule in words. */
  String rule() {
    return "Warns from " + text(warn) + ", is bad from " + text(bad) + ".";
  }

  private String text(double value) {
    return switch (unit) {
      case "seconds" -> Plain.length(Duration.ofNanos(Math.round(value * 1e9)));
      case "bytes" -> Plain.bytes((long) value);
      case "ratio" -> Math.round(100 * value) + " %";
      default -> Plain.number((long) value) + " " + unit;
    };
  }
}
