package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The unique key of a template: each fire fills its placeholders. */
final class UniqueKeyPattern {
  private static final int NANO_DIGITS = 9;
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(schedule|fireAt|date|time|epoch)\\}");
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
          .toFormatter(Locale.ROOT);

  /** No fire has more characters, but a run by hand. */
  private static final Instant LONGEST = Instant.parse("9999-12-30T23:59:59Z");

  private UniqueKeyPattern() {}

  /** Throws on the field unless it is a key, whatever fire fills it. */
  static void require(String pattern, String schedule, String field) {
    String rest = PLACEHOLDER.matcher(pattern).replaceAll("");
    InvalidInput.require(
        rest.indexOf('{') < 0 && rest.indexOf('}') < 0,
        field,
        "must have no braces except {schedule}, {fireAt}, {date}, {time} and {epoch}");
    InvalidInput.require(
        filled(pattern, schedule, TimeZones.UTC, LONGEST).length() <= NewJob.MAX_UNIQUE_KEY,
        field,
        "must be at most " + NewJob.MAX_UNIQUE_KEY + " characters once a fire has filled it");
  }

  /** A run by hand whose key would be too long has that of its second. */
  static String filled(String pattern, String schedule, ZoneId zone, Instant fireAt) {
    String key = replaced(pattern, schedule, zone, fireAt);
    return key.length() <= NewJob.MAX_UNIQUE_KEY
        ? key
        : replaced(pattern, schedule, zone, fireAt.truncatedTo(ChronoUnit.SECONDS));
  }

  private static String replaced(String pattern, String schedule, ZoneId zone, Instant fireAt) {
    return PLACEHOLDER
        .matcher(pattern)
        .replaceAll(found -> Matcher.quoteReplacement(value(found, schedule, zone, fireAt)));
  }

  private static String value(MatchResult found, String schedule, ZoneId zone, Instant fireAt) {
    return switch (found.group(1)) {
      case "schedule" -> schedule;
      case "date" -> fireAt.atZone(zone).toLocalDate().toString();
      case "time" -> TIME.format(fireAt.atZone(zone));
      case "epoch" -> epoch(fireAt);
      default -> fireAt.toString();
    };
  }

  private static String epoch(Instant at) {
    return BigDecimal.valueOf(at.getEpochSecond())
        .add(BigDecimal.valueOf(at.getNano(), NANO_DIGITS))
        .stripTrailingZeros()
        .toPlainString();
  }
}
