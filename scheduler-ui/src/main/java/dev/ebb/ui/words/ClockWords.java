package dev.ebb.ui.words;

import dev.ebb.contract.Node;
import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Instants near and far as clocks and calendars show them, in UTC: as short as tells them apart.
 */
public final class ClockWords {
  private static final DateTimeFormatter SECOND = format("HH:mm:ss");
  private static final DateTimeFormatter MINUTE = format("HH:mm");
  private static final DateTimeFormatter WEEKDAY = format("EEE HH:mm");
  private static final DateTimeFormatter DAY = format("d MMM");
  private static final DateTimeFormatter YEAR = format("uuuu");
  private static final Duration CLOSE = Duration.ofMinutes(10);
  private static final Duration WEEK = Duration.ofDays(6);
  private static final Duration MONTHS = Duration.ofDays(300);

  private ClockWords() {}

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }

  /** Whether the clock of a node that is alive is so wrong that people should know. */
  public static boolean isSkewed(Node node) {
    return node.isAlive()
        && node.clockSkew() != null
        && Limit.CLOCK.of(node.clockSkew()) != Verdict.OK;
  }

  /** The instant, as seen from now. */
  public static String at(Instant at, Instant now) {
    return formatter(at, now, Duration.between(now, at)).format(at);
  }

  private static DateTimeFormatter formatter(Instant at, Instant now, Duration away) {
    Duration length = away.abs();
    if (length.compareTo(MONTHS) > 0) {
      return YEAR;
    }
    if (length.compareTo(WEEK) > 0) {
      return DAY;
    }
    if (!day(at).equals(day(now))) {
      return WEEKDAY;
    }
    return length.compareTo(CLOSE) < 0 ? SECOND : MINUTE;
  }

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  /** From one instant to a later one. */
  public static String between(Instant from, Instant until, Instant now) {
    String first = at(from, now);
    String last = at(until, now);
    if (first.equals(last)) {
      return first;
    }
    boolean sameDay = day(from).equals(day(until)) && last.contains(" ") && last.contains(":");
    return first + "–" + (sameDay ? MINUTE.format(until) : last);
  }
}
