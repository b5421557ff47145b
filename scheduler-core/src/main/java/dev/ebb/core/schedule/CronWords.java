package dev.ebb.core.schedule;

/** A cron expression for people. */
final class CronWords {
  private CronWords() {}

  static String of(CronTimes times) {
    ClockWords words = new ClockWords(times.clock());
    String clock = words.text();
    String dates = DateWords.of(times.dates());
    if (words.areTimes() && !dates.startsWith(" on ")) {
      return clock + " every day" + dates;
    }
    boolean isParted = clock.startsWith("Every") && clock.contains(",") && !dates.isEmpty();
    return clock + (isParted ? "," : "") + dates;
  }
}
