package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a cron expression, field by field. */
final class CronReader {
  private static final List<CronField> UNIX =
      List.of(
          CronField.MINUTE,
          CronField.HOUR,
          CronField.DAY_OF_MONTH,
          CronField.MONTH,
          CronField.UNIX_WEEKDAY);
  private static final List<CronField> QUARTZ =
      List.of(
          CronField.SECOND,
          CronField.MINUTE,
          CronField.HOUR,
          CronField.DAY_OF_MONTH,
          CronField.MONTH,
          CronField.QUARTZ_WEEKDAY,
          CronField.YEAR);
  private static final Map<String, String> MACROS =
      new TreeMap<>(
          Map.of(
              "@hourly", "0 * * * *",
              "@daily", "0 0 * * *",
              "@midnight", "0 0 * * *",
              "@weekly", "0 0 * * 0",
              "@monthly", "0 0 1 * *",
              "@yearly", "0 0 1 1 *",
              "@annually", "0 0 1 1 *"));
  private static final List<String> COUNTS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");
  private static final LocalDate BEGIN = LocalDate.of(CronField.YEAR.least(), 1, 1);

  private CronReader() {}

  /** Reads a text whose fields are parted by single spaces. */
  static CronTimes read(String text) {
    List<String> fields = List.of((text.startsWith("@") ? macro(text) : text).split(" "));
    CronTimes times =
        switch (fields.size()) {
          case 5 -> unix(fields);
          case 6, 7 -> quartz(fields);
          default -> throw invalid("has " + count(text, fields) + "; " + countRule());
        };
    require(
        times.dates().next(BEGIN) != null,
        CronError.FIELD,
        "must name a date that exists: none of its months has one of its days");
    return times;
  }

  private static String macro(String text) {
    String meant = MACROS.get(text);
    if (meant == null) {
      throw invalid(
          "has "
              + CronError.readable(text)
              + "; a macro must be one of "
              + String.join(", ", MACROS.keySet())
              + "."
              + NearMiss.question(text, MACROS.keySet()));
    }
    return meant;
  }

  private static String count(String text, List<String> fields) {
    int count = text.isEmpty() ? 0 : fields.size();
    String number = count < COUNTS.size() ? COUNTS.get(count) : Integer.toString(count);
    return number + (count == 1 ? " field" : " fields");
  }

  private static String countRule() {
    return "it must have five (Unix: minute, hour, day of month, month, day of week), or six or"
        + " seven (Quartz: second, minute, hour, day of month, month, day of week and, if wanted,"
        + " year)";
  }

  private static CronTimes unix(List<String> fields) {
    requireUnixMarks(fields);
    String ofMonth = fields.get(2);
    String ofWeek = fields.get(4);
    CronDays days =
        CronDays.of(
            DayReader.ofMonth(CronSyntax.UNIX, ofMonth),
            DayReader.ofWeek(CronSyntax.UNIX, ofWeek),
            !ofMonth.startsWith("*") && !ofWeek.startsWith("*"));
    BitSet second = new BitSet();
    second.set(0);
    CronClock clock = CronClock.read(CronSyntax.UNIX, second, fields.get(0), fields.get(1));
    BitSet months = FieldReader.read(CronSyntax.UNIX, CronField.MONTH, fields.get(3));
    return new CronTimes(CronSyntax.UNIX, clock, new CronDates(days, months, null));
  }

  private static CronTimes quartz(List<String> fields) {
    requireQuartzMarks(fields);
    CronDays days =
        fields.get(3).equals("?")
            ? CronDays.of(List.of(), DayReader.ofWeek(CronSyntax.QUARTZ, fields.get(5)), false)
            : CronDays.of(DayReader.ofMonth(CronSyntax.QUARTZ, fields.get(3)), List.of(), false);
    CronClock clock =
        CronClock.read(
            CronSyntax.QUARTZ,
            FieldReader.read(CronSyntax.QUARTZ, CronField.SECOND, fields.get(0)),
            fields.get(1),
            fields.get(2));
    BitSet months = FieldReader.read(CronSyntax.QUARTZ, CronField.MONTH, fields.get(4));
    return new CronTimes(CronSyntax.QUARTZ, clock, new CronDates(days, months, years(fields)));
  }

  private static @Nullable BitSet years(List<String> fields) {
    boolean isEvery = fields.size() < 7 || fields.get(6).equals("*");
    return isEvery ? null : FieldReader.read(CronSyntax.QUARTZ, CronField.YEAR, fields.get(6));
  }

  private static void requireUnixMarks(List<String> fields) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).contains("?")) {
        throw CronError.of(
            UNIX.get(i),
            fields.get(i),
            "? is for Quartz's six or seven fields: write * for it, or put the second first");
      }
    }
  }

  private static void requireQuartzMarks(List<String> fields) {
    for (int i = 0; i < fields.size(); i++) {
      CronField field = QUARTZ.get(i);
      boolean isDay = field == CronField.DAY_OF_MONTH || field == CronField.QUARTZ_WEEKDAY;
      if (fields.get(i).contains("?") && !(isDay && fields.get(i).equals("?"))) {
        throw CronError.of(field, fields.get(i), "? must stand alone, for one of the two days");
      }
    }
    boolean ofMonth = fields.get(3).equals("?");
    boolean ofWeek = fields.get(5).equals("?");
    if (ofMonth && ofWeek) {
      throw invalid("has ? as day of month and as day of week; it must be one of them");
    }
    if (!ofMonth && !ofWeek) {
      throw invalid(
          "has "
              + COUNTS.get(fields.size())
              + " fields but no ?; in Quartz's syntax, whose first field is the second and where 1"
              + " is Sunday, day of month or day of week must be ?; in Unix's syntax there are five"
              + " fields, without seconds and years");
    }
  }

  private static InvalidInput invalid(String rule) {
    return new InvalidInput(CronError.FIELD, rule);
  }
}
