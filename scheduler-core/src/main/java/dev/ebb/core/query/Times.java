package dev.ebb.core.query;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them in a query. */
public final class Times {
  private static final Pattern SHORT =
      Pattern.compile("(\\d{1,4}d)?((?:\\d{1,6}h)?(?:\\d{1,7}m)?(?:\\d{1,9}s)?)");
  private static final Pattern ISO = Pattern.compile("P[0-9.DTHMS]{1,30}");
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})");
  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private Times() {}

  /**
   * A duration such as {@code 30s}, {@code 1h30m}, {@code 7d} or {@code PT30S}, at most ten years;
   * throws {@link InvalidInput} on the field.
   */
  public static Duration duration(String field, String text) {
    InvalidInput invalid =
        new InvalidInput(field, "must be a duration such as 30s, 10m, 1h30m, 7d or PT30S");
    try {
      Duration duration = Duration.parse(iso(text, invalid));
      InvalidInput.requireDuration(duration, field);
      return duration.truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException | ArithmeticException e) {
      throw invalid;
    }
  }

  private static String iso(String text, InvalidInput invalid) {
    if (ISO.matcher(text).matches()) {
      return text;
    }
    Matcher parts = SHORT.matcher(text);
    if (text.isEmpty() || !parts.matches()) {
      throw invalid;
    }
    String days = parts.group(1) == null ? "" : parts.group(1);
    String rest = parts.group(2);
    return ("P" + days + (rest.isEmpty() ? "" : "T" + rest)).toUpperCase(Locale.ROOT);
  }

  /**
   * The instant of RFC 3339, with at most six decimals, that the text is; throws {@link
   * DateTimeException} if it is none.
   */
  public static Instant instant(String text) {
    if (!RFC_3339.matcher(text).matches()) {
      throw new DateTimeException("must be an instant as in RFC 3339");
    }
    return OffsetDateTime.parse(text).toInstant();
  }

  /**
   * An instant as {@link #instant(String)} takes it, or the start of a day in UTC, in the years
   * 2000 to 9999; throws {@link InvalidInput} on the field.
   */
  public static Instant instant(String field, String text) {
    Instant instant = parsed(field, text);
    require(
        !instant.isBefore(FIRST) && !instant.isAfter(LAST),
        field,
        "must lie in the years 2000 to 9999");
    return instant;
  }

  private static Instant parsed(String field, String text) {
    try {
      return text.indexOf('T') < 0
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : instant(text);
    } catch (DateTimeException e) {
      throw new InvalidInput(
          field, "must be a day or an instant, such as 2027-01-31 or 2027-01-31T08:00:00Z");
    }
  }
}
