package dev.ebb.worker.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a date as servers write it: in the three forms of RFC 9110 (section 5.6.7), in that of ISO
 * 8601, and in what lies between. A weekday may be missing and is not compared, seconds may be
 * missing, and so may the zone, which is then UTC. Zones are names of UTC and offsets.
 */
final class HttpDate {
  private static final String WEEKDAY = "(?:[a-z]{3,9}\\.?,?\\s+)?";
  private static final String MONTH = "(?<month>[a-z]{3})[a-z]*\\.?";
  private static final String TIME = "(?<time>\\d{1,2}:\\d{2}(?::\\d{2})?)(?:\\.\\d+)?";
  private static final String ZONE =
      "(?:\\s*(?:GMT|UTC|UT|Z)?(?<offset>[+-]\\d{2}(?::?\\d{2})?)?)?(?:\\s*\\([^()]*\\))?";
  private static final List<Pattern> FORMS =
      List.of(
          form(
              WEEKDAY
                  + "(?<day>\\d{1,2})[ -]"
                  + MONTH
                  + "[ -](?<year>\\d{4}|\\d{2})\\s+"
                  + TIME
                  + ZONE),
          form(WEEKDAY + MONTH + "\\s+(?<day>\\d{1,2})\\s+" + TIME + "\\s+(?<year>\\d{4})" + ZONE),
          form("(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:[T ]" + TIME + ")?" + ZONE));
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

  private HttpDate() {}

  private static Pattern form(String form) {
    return Pattern.compile(form, Pattern.CASE_INSENSITIVE);
  }

  /**
   * The date; empty if there is none to be read.
   *
   * @param now a year of two digits is at most 50 years after it
   */
  static Optional<Instant> parse(String text, Instant now) {
    for (Pattern form : FORMS) {
      Matcher date = form.matcher(text.strip());
      if (date.matches()) {
        return instant(date, now);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> instant(Matcher date, Instant now) {
    try {
      LocalDate day =
          LocalDate.of(
              year(date.group("year"), now),
              month(date.group("month")),
              Integer.parseInt(date.group("day")));
      return Optional.of(
          day.atTime(time(date.group("time"))).toInstant(offset(date.group("offset"))));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static int year(String year, Instant now) {
    int number = Integer.parseInt(year);
    if (year.length() > 2) {
      return number;
    }
    int latest = now.atOffset(ZoneOffset.UTC).getYear() + 50;
    return latest - Math.floorMod(latest - number, 100);
  }

  /** 1 to 12; anything else for what is no month. */
  private static int month(String month) {
    if (Character.isDigit(month.charAt(0))) {
      return Integer.parseInt(month);
    }
    int at = MONTHS.indexOf(month.toLowerCase(Locale.ROOT));
    return at % 3 == 0 ? at / 3 + 1 : 0;
  }

  private static LocalTime time(@Nullable String time) {
    if (time == null) {
      return LocalTime.MIDNIGHT;
    }
    String[] parts = time.split(":", -1);
    return LocalTime.of(
        Integer.parseInt(parts[0]),
        Integer.parseInt(parts[1]),
        parts.length < 3 ? 0 : Integer.parseInt(parts[2]));
  }

  private static ZoneOffset offset(@Nullable String offset) {
    if (offset == null) {
      return ZoneOffset.UTC;
    }
    String digits = offset.replace(":", "");
    return ZoneOffset.of(digits.length() == 3 ? digits + "00" : digits);
  }
}
