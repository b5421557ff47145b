package dev.ebb.core.schedule;

import java.util.List;
import java.util.Locale;

/** A field of a cron expression: its values and their names. */
enum CronField {
  SECOND("second", 0, 59, ""),
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  UNIX_WEEKDAY("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT"),
  QUARTZ_WEEKDAY("day of week", 1, 7, "SUN MON TUE WED THU FRI SAT"),
  YEAR("year", 1970, 2099, "");

  private final String label;
  private final int least;
  private final int most;
  private final String names;

  CronField(String label, int least, int most, String names) {
    this.label = label;
    this.least = least;
    this.most = most;
    this.names = names;
  }

  /** What people call it. */
  String label() {
    return label;
  }

  int least() {
    return least;
  }

  int most() {
    return most;
  }

  int mostStep() {
    return this == YEAR ? most - least : most;
  }

  /** The value that a number or a name stands for; -1 if it is none. */
  int value(String text) {
    int name = List.of(names.split(" ")).indexOf(text.toUpperCase(Locale.ROOT));
    if (name >= 0 && !text.isEmpty()) {
      return least + name;
    }
    boolean isNumber =
        !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int number = isNumber ? Integer.parseInt(text) : -1;
    return number >= least && number <= most ? number : -1;
  }

  /** What a value must be. */
  String rule() {
    return switch (this) {
      case SECOND, MINUTE, HOUR, DAY_OF_MONTH, YEAR -> "it must be " + least + " to " + most;
      case MONTH -> "it must be 1 to 12, or JAN to DEC";
      case UNIX_WEEKDAY -> "it must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT";
      case QUARTZ_WEEKDAY ->
          "in six or seven fields it must be 1 to 7, where 1 is Sunday, or SUN to SAT";
    };
  }
}
