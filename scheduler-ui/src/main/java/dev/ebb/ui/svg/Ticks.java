package dev.ebb.ui.svg;

import dev.ebb.ui.svg.PlotSheet.Tick;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Places on axes that people can read: round numbers, whole hours, decades of time. */
final class Ticks {
  private static final int SOME = 4;
  private static final DateTimeFormatter CLOCK = format("HH:mm");
  private static final DateTimeFormatter DAY = format("d MMM");
  private static final DateTimeFormatter BOTH = format("d MMM HH:mm");
  private static final List<Duration> DECADES =
      List.of(
          Duration.ofMillis(1),
          Duration.ofMillis(10),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(10),
          Duration.ofDays(4),
          Duration.ofDays(40));

  private Ticks() {}

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** The instant as an axis or a table of this window has it, in UTC. */
  static String clock(Instant at, Duration window) {
    return (window.compareTo(Duration.ofHours(2)) <= 0 ? CLOCK : BOTH).format(at);
  }

  /** Round numbers from zero to at least that one. */
  static List<Tick> numbers(double most) {
    double step = round(Math.max(most, 1e-3) / SOME);
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i == 0 || ticks.getLast().at() < most; i++) {
      double value = i * step;
      ticks.add(new Tick(value, value >= 100 ? Words.number(Math.round(value)) : trimmed(value)));
    }
    return ticks;
  }

  /** The same for what is counted one by one. */
  static List<Tick> counts(double most) {
    return numbers(most).stream().filter(tick -> tick.at() % 1 == 0).toList();
  }

  private static String trimmed(double value) {
    return value == 0 ? "0" : Words.trimmed(value);
  }

  /** 1, 2 or 5 times a power of ten, and not less than that. */
  private static double round(double step) {
    double power = Math.pow(10, Math.floor(Math.log10(step)));
    double digit = step / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  /** Times between two instants, in seconds since the epoch. */
  static List<Tick> times(Instant from, Instant to) {
    Duration window = Duration.between(from, to);
    DateTimeFormatter format = window.compareTo(Duration.ofHours(30)) <= 0 ? CLOCK : DAY;
    long step = Math.max(60, window.toSeconds() / 6);
    long unit = window.toHours() >= 47 ? 86_400 : window.toMinutes() >= 121 ? 3_600 : 300;
    long rounded = Math.max(unit, step / unit * unit);
    List<Tick> ticks = new ArrayList<>();
    long first = Math.ceilDiv(from.getEpochSecond(), rounded) * rounded;
    for (long at = first; at <= to.getEpochSecond(); at += rounded) {
      ticks.add(new Tick(at, format.format(Instant.ofEpochSecond(at))));
    }
    return ticks;
  }

  /** Lengths of time from zero to that many seconds. */
  static List<Tick> seconds(double most) {
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i <= SOME; i++) {
      double at = most * i / SOME;
      ticks.add(new Tick(at, i == 0 ? "0" : Words.length(Duration.ofMillis((long) (at * 1e3)))));
    }
    return ticks;
  }

  /** Lengths of time for an axis of logarithms, between two of them. */
  static List<Tick> decades(double from, double to) {
    return DECADES.stream()
        .map(one -> new Tick(log(one), Words.length(one)))
        .filter(one -> one.at() >= from - 1e-9 && one.at() <= to + 1e-9)
        .toList();
  }

  /** The logarithm of a length's seconds; a millisecond where it is less. */
  static double log(Duration length) {
    return Math.log10(Math.max(1e-3, length.toNanos() / 1e9));
  }

  /** The shortest decade that is at least as long. */
  static double above(double log) {
    return DECADES.stream().mapToDouble(Ticks::log).filter(one -> one >= log).findFirst().orElse(8);
  }

  /** The longest decade that is at most as long. */
  static double below(double log) {
    return DECADES.stream()
        .mapToDouble(Ticks::log)
        .filter(one -> one <= log)
        .reduce((_, last) -> last)
        .orElse(-3);
  }
}
