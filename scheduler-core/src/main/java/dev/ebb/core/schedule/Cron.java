package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: local times by their second, minute, hour, day, month, weekday and year. It
 * knows no time zone.
 *
 * <p>Five fields are Unix's: minute, hour, day of month, month, day of week, as in crontab(5). If
 * neither of the two days begins with {@code *}, a day that one of them names is enough. Six or
 * seven fields are Quartz's: second, minute, hour, day of month, month, day of week, year. Exactly
 * one of the two days is {@code ?}, 1 is Sunday, a range may go past the end of its field, and the
 * days know {@code L}, {@code L-3}, {@code 15W}, {@code LW}, {@code 6L} and {@code 6#3}. A month
 * that does not have such a day is passed over.
 *
 * <p>Hours that begin with {@code *}, or that name every hour, are a wildcard: see {@code
 * CronFires} for what that means where clocks are set.
 */
public final class Cron {
  /** The longest text. */
  public static final int MAX_LENGTH = 200;

  private final String text;
  private final CronTimes times;

  private Cron(String text, CronTimes times) {
    this.text = text;
    this.times = times;
  }

  /**
   * Reads five Unix fields, a macro, or six or seven Quartz fields; throws {@link InvalidInput} on
   * {@code cron}, also where no year has such a date.
   */
  public static Cron parse(String text) {
    require(
        text.length() <= MAX_LENGTH,
        CronError.FIELD,
        "must be at most " + MAX_LENGTH + " characters");
    String plain = text.strip().replaceAll("\\s+", " ");
    return new Cron(plain, CronReader.read(plain));
  }

  /** As its author wrote it, but for spaces. */
  public String text() {
    return text;
  }

  public CronSyntax syntax() {
    return times.syntax();
  }

  /** What it means, in plain words. */
  public String words() {
    return CronWords.of(times);
  }

  /**
   * The first local time after the other that it names; {@code null} if none comes within {@value
   * CronDates#CYCLE_YEARS} years or in the years that it names.
   */
  public @Nullable LocalDateTime next(LocalDateTime after) {
    return times.next(after);
  }

  /**
   * Whether its hours are a wildcard, as crontab(5) has it: a field that begins with {@code *}, or
   * names every hour. It then goes by the time that passes, and not by the times of a day.
   */
  boolean isWildHour() {
    return times.clock().wildHour();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cron cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
