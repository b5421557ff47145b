package dev.ebb.core.schedule;

/** An interval for people. Days have 24 hours in it, so it says so. */
final class IntervalWords {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private IntervalWords() {}

  static String of(long seconds) {
    if (seconds > DAY && seconds % DAY == 0) {
      return "Every " + seconds / DAY + " days of 24 hours";
    }
    if (seconds % HOUR == 0) {
      return every(seconds / HOUR, "hour");
    }
    return seconds % MINUTE == 0 ? every(seconds / MINUTE, "minute") : every(seconds, "second");
  }

  private static String every(long count, String unit) {
    return count == 1 ? "Every " + unit : "Every " + count + " " + unit + "s";
  }
}
