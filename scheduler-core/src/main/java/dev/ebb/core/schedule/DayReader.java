package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the two fields of a cron expression that name days, with Quartz's L, W and #. */
final class DayReader {
  private static final Pattern FROM_END = Pattern.compile("L(?:-([0-9]{1,4}))?(W?)");
  private static final Pattern NEAREST = Pattern.compile("([0-9]{1,4})W");
  private static final Pattern LAST = Pattern.compile("([A-Z0-9]+)L");
  private static final Pattern NTH = Pattern.compile("([A-Z0-9]+)#([0-9]{1,4})");
  private static final Pattern QUARTZ_ONLY = Pattern.compile("L|L-.*|LW|[0-9]*W|[A-Z0-9]+L|.*#.*");

  private final CronSyntax syntax;
  private final CronField field;

  private DayReader(CronSyntax syntax, CronField field) {
    this.syntax = syntax;
    this.field = field;
  }

  static List<DayRule> ofMonth(CronSyntax syntax, String text) {
    return new DayReader(syntax, CronField.DAY_OF_MONTH).read(text);
  }

  static List<DayRule> ofWeek(CronSyntax syntax, String text) {
    CronField field =
        switch (syntax) {
          case UNIX -> CronField.UNIX_WEEKDAY;
          case QUARTZ -> CronField.QUARTZ_WEEKDAY;
        };
    return new DayReader(syntax, field).read(text);
  }

  private List<DayRule> read(String text) {
    FieldReader plain = new FieldReader(syntax, field);
    List<DayRule> rules = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      DayRule special = special(part);
      if (special == null) {
        plain.add(isLastOfWeek(part) ? "SAT" : part);
      } else if (!rules.contains(special)) {
        rules.add(special);
      }
    }
    if (!plain.values().isEmpty()) {
      rules.addFirst(plain(plain.values()));
    }
    return List.copyOf(rules);
  }

  /** In Quartz's weeks, which end with Saturday. */
  private boolean isLastOfWeek(String part) {
    return field == CronField.QUARTZ_WEEKDAY && part.equalsIgnoreCase("L");
  }

  private DayRule plain(BitSet values) {
    if (field == CronField.DAY_OF_MONTH) {
      return new DayRule.Days(values.stream().reduce(0, (bits, day) -> bits | 1 << day));
    }
    return new DayRule.Weekdays(
        values.stream().reduce(0, (bits, value) -> bits | 1 << weekday(value).getValue()));
  }

  private DayOfWeek weekday(int value) {
    int daysAfterSunday = value - (syntax == CronSyntax.UNIX ? 0 : 1);
    return DayOfWeek.SUNDAY.plus(daysAfterSunday);
  }

  private @Nullable DayRule special(String part) {
    String upper = part.toUpperCase(Locale.ROOT);
    if (syntax == CronSyntax.UNIX && QUARTZ_ONLY.matcher(upper).matches()) {
      throw invalid(
          part,
          "L, W and # are for Quartz's six or seven fields: put the second first, and ? as the"
              + " other of the two days");
    }
    return field == CronField.DAY_OF_MONTH ? inMonth(part, upper) : inWeek(part, upper);
  }

  private @Nullable DayRule inMonth(String part, String upper) {
    Matcher end = FROM_END.matcher(upper);
    if (end.matches()) {
      String before = end.group(1);
      int days = before == null ? 0 : bounded(part, before, 30, "L- must be followed by 1 to 30");
      return new DayRule.FromEnd(days, !end.group(2).isEmpty());
    }
    Matcher nearest = NEAREST.matcher(upper);
    return nearest.matches()
        ? new DayRule.Nearest(bounded(part, nearest.group(1), 31, "W must follow 1 to 31"))
        : null;
  }

  private @Nullable DayRule inWeek(String part, String upper) {
    Matcher last = LAST.matcher(upper);
    if (last.matches()) {
      return new DayRule.Last(weekday(part, last.group(1)));
    }
    Matcher nth = NTH.matcher(upper);
    return nth.matches()
        ? new DayRule.Nth(
            weekday(part, nth.group(1)),
            bounded(part, nth.group(2), 5, "# must be followed by 1 to 5"))
        : null;
  }

  private DayOfWeek weekday(String part, String text) {
    int value = field.value(text);
    if (value < 0) {
      throw invalid(part, field.rule());
    }
    return weekday(value);
  }

  private int bounded(String part, String number, int most, String rule) {
    int value = Integer.parseInt(number);
    if (value < 1 || value > most) {
      throw invalid(part, rule);
    }
    return value;
  }

  private InvalidInput invalid(String part, String rule) {
    return CronError.of(field, part, rule);
  }
}
