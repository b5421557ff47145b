package dev.ebb.core.schedule;

import java.time.LocalTime;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The times of a day that a cron expression names.
 *
 * @param wildHour whether the hours are a wildcard: see {@link Cron#isWildHour}
 */
record CronClock(BitSet seconds, BitSet minutes, BitSet hours, boolean wildHour) {
  private static final int HOURS = 24;

  /** One of fields as they are written. */
  static CronClock read(CronSyntax syntax, BitSet seconds, String minutes, String hours) {
    BitSet ofHours = FieldReader.read(syntax, CronField.HOUR, hours);
    return new CronClock(
        seconds,
        FieldReader.read(syntax, CronField.MINUTE, minutes),
        ofHours,
        hours.startsWith("*") || ofHours.cardinality() == HOURS);
  }

  LocalTime first() {
    return LocalTime.of(first(hours), first(minutes), first(seconds));
  }

  /** The first time of the day from that one on, in whole seconds; {@code null} if none is left. */
  @Nullable LocalTime next(LocalTime from) {
    int hour = from.getHour();
    int minute = from.getMinute();
    int second = seconds.nextSetBit(from.getSecond());
    if (hours.get(hour) && minutes.get(minute) && second >= 0) {
      return LocalTime.of(hour, minute, second);
    }
    int nextMinute = minutes.nextSetBit(minute + 1);
    if (hours.get(hour) && nextMinute >= 0) {
      return LocalTime.of(hour, nextMinute, first(seconds));
    }
    int nextHour = hours.nextSetBit(hour + 1);
    return nextHour < 0 ? null : LocalTime.of(nextHour, first(minutes), first(seconds));
  }

  private static int first(BitSet values) {
    return values.nextSetBit(0);
  }
}
