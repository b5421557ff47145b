package dev.ebb.core.health;

import java.time.Duration;

/**
 * From where on a number is a warning, and from where on it is bad.
 *
 * @param unit {@code seconds}, {@code bytes}, {@code ratio}, or what is counted
 */
public record Limit(String unit, double warn, double bad) {
  /** How long a transaction may hold back the vacuum. */
  public static final Limit SNAPSHOT = seconds(Duration.ofMinutes(5), Duration.ofHours(1));

  /** How long a due job may wait. */
  public static final Limit DUE = seconds(Duration.ofMinutes(1), Duration.ofMinutes(10));

  /** How far a clock may be from the database's. */
  public static final Limit CLOCK = seconds(Duration.ofSeconds(1), Duration.ofMinutes(1));

  static final Limit CLAIM = seconds(Duration.ofMillis(250), Duration.ofSeconds(1));
  static final Limit LAG = seconds(Duration.ofSeconds(10), Duration.ofMinutes(5));
  static final Limit HORIZON = new Limit("transactions", 1_000_000, 20_000_000);
  static final Limit CONNECTIONS = new Limit("ratio", 0.8, 0.95);
  static final Limit SLOT_LOG = new Limit("bytes", 1L << 30, 10L << 30);

  static Limit seconds(Duration warn, Duration bad) {
    return new Limit("seconds", warn.toNanos() / 1e9, bad.toNanos() / 1e9);
  }

  /** The verdict on a length. */
  public Verdict of(Duration length) {
    return of(length.abs().toNanos() / 1e9);
  }

  Verdict of(long value) {
    return of((double) value);
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
