package dev.ebb.core.schedule;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a field of a cron expression that is a list of values and ranges, some with a step. */
final class FieldReader {
  private static final Pattern PART =
      Pattern.compile("(?:\\*|([A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?)(?:/([0-9]+))?");

  private final CronSyntax syntax;
  private final CronField field;
  private final BitSet values = new BitSet();

  FieldReader(CronSyntax syntax, CronField field) {
    this.syntax = syntax;
    this.field = field;
  }

  /** The values of a whole field. */
  static BitSet read(CronSyntax syntax, CronField field, String text) {
    FieldReader reader = new FieldReader(syntax, field);
    for (String part : text.split(",", -1)) {
      reader.add(part);
    }
    return reader.values;
  }

  BitSet values() {
    return values;
  }

  /** Reads what stands between two commas. */
  void add(String part) {
    Matcher matcher = PART.matcher(part);
    if (!matcher.matches()) {
      throw CronError.of(field, part, field.rule());
    }
    String first = matcher.group(1);
    String last = matcher.group(2);
    int step = step(part, matcher.group(3));
    if (first == null) {
      add(field.least(), field.most(), step);
    } else if (last == null) {
      addFrom(part, value(part, first), matcher.group(3) == null ? null : step);
    } else {
      addRange(part, value(part, first), value(part, last), step);
    }
  }

  private void addFrom(String part, int first, @Nullable Integer step) {
    if (step != null && syntax == CronSyntax.UNIX) {
      throw CronError.of(field, part, "in five fields a step must follow * or a range");
    }
    add(first, step == null ? first : field.most(), step == null ? 1 : step);
  }

  private void addRange(String part, int first, int last, int step) {
    if (first <= last) {
      add(first, last, step);
    } else if (field == CronField.UNIX_WEEKDAY && last == 0) {
      add(first, 7, step);
    } else if (syntax == CronSyntax.QUARTZ && field != CronField.YEAR) {
      add(first, last + span(), step);
    } else {
      throw CronError.of(field, part, "a range must go from the lower to the higher");
    }
  }

  /** Values beyond the most begin again at the least. */
  private void add(int first, int last, int step) {
    for (int value = first; value <= last; value += step) {
      values.set(field.least() + (value - field.least()) % span());
    }
  }

  private int span() {
    return field.most() - field.least() + 1;
  }

  private int value(String part, String text) {
    int value = field.value(text);
    if (value < 0) {
      throw CronError.of(field, part, field.rule());
    }
    return value;
  }

  private int step(String part, @Nullable String text) {
    if (text == null) {
      return 1;
    }
    int step = text.length() <= 4 ? Integer.parseInt(text) : 0;
    if (step < 1 || step > field.mostStep()) {
      throw CronError.of(field, part, "its step must be 1 to " + field.mostStep());
    }
    return step;
  }
}
