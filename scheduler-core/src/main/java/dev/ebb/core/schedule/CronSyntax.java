package dev.ebb.core.schedule;

import java.util.Locale;

/** The two ways to write a cron expression. */
public enum CronSyntax {
  /** Five fields from the minute to the day of week, as in crontab(5), or a macro. */
  UNIX,
  /** Six fields from the second to the day of week, or seven with the year. */
  QUARTZ;

  /** The name in answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
