package dev.ebb.core.schedule;

import java.time.LocalTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/** The times of a cron expression's days, for people. */
final class ClockWords {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  /** Fewer times are listed and not counted. */
  private static final int STEPS = 4;

  /** More times are described by their hours, minutes and seconds. */
  private static final int LISTED = 6;

  private final CronClock clock;

  /** Seconds of the day, the earliest first. */
  private final int[] times;

  ClockWords(CronClock clock) {
    this.clock = clock;
    this.times = times(clock);
  }

  /** A sentence without its end. */
  String text() {
    return steps().orElseGet(() -> isListed() ? listed() : fields());
  }

  /** Whether it tells times of the day, so that the day has to be told too. */
  boolean areTimes() {
    return steps().isEmpty() && isListed();
  }

  private static int[] times(CronClock clock) {
    return clock.hours().stream()
        .flatMap(hour ->
            clock.minutes().stream()
                .flatMap(minute ->
                    clock.seconds().stream().map(second -> hour * HOUR + minute * MINUTE + second)))
        .toArray();
  }

  /** If each time comes as long after the one before. */
  private Optional<String> steps() {
    if (times.length < STEPS || !isEven()) {
      return Optional.empty();
    }
    int step = times[1] - times[0];
    if (step > MINUTE && step % MINUTE != 0) {
      return Optional.empty();
    }
    boolean goesRound = step <= HOUR && step * times.length == DAY;
    return goesRound ? allDay(step, times[0]) : Optional.of(fromTo(step));
  }

  private String fromTo(int step) {
    String ends = time(times[0]) + " to " + time(times[times.length - 1]);
    return IntervalWords.of(step) + " from " + ends;
  }

  private boolean isEven() {
    int step = times[1] - times[0];
    for (int i = 1; i < times.length; i++) {
      if (times[i] - times[i - 1] != step) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> allDay(int step, int first) {
    String every = IntervalWords.of(step);
    int minute = first / MINUTE;
    int second = first % MINUTE;
    if (first == 0) {
      return Optional.of(every);
    }
    if (step == HOUR) {
      String seconds = second == 0 ? "" : " and second " + second;
      return Optional.of(every + ", at minute " + minute + seconds);
    }
    if (step == MINUTE) {
      return Optional.of(every + ", at second " + second);
    }
    if (step < MINUTE) {
      return Optional.of(every + ", from second " + second + " of every minute");
    }
    return second == 0
        ? Optional.of(every + ", from minute " + minute + " of every hour")
        : Optional.empty();
  }

  private boolean isListed() {
    return times.length <= LISTED
        || (clock.minutes().cardinality() == 1 && clock.seconds().cardinality() == 1);
  }

  private String listed() {
    return "At " + Listing.and(Arrays.stream(times).mapToObj(this::time).toList());
  }

  private String time(int secondOfDay) {
    String text = LocalTime.ofSecondOfDay(secondOfDay).toString();
    boolean lacksSeconds = text.length() == 5;
    return lacksSeconds && !isOnMinutes() ? text + ":00" : text;
  }

  private boolean isOnMinutes() {
    return clock.seconds().length() == 1;
  }

  /** From the finest field to the hours. */
  private String fields() {
    boolean everyMinute = clock.minutes().cardinality() == 60;
    boolean everyHour = clock.hours().cardinality() == 24;
    String minutes = everyMinute ? "every minute" : Listing.of("minute", clock.minutes());
    String finest = isOnMinutes() ? lead("minute", clock.minutes()) : seconds() + " of " + minutes;
    if (everyHour) {
      return everyMinute ? finest : finest + " of every hour";
    }
    return finest + " of " + Listing.of("hour", clock.hours());
  }

  private String seconds() {
    return lead("second", clock.seconds());
  }

  private static String lead(String unit, BitSet values) {
    return values.cardinality() == 60 ? "Every " + unit : "At " + Listing.of(unit, values);
  }
}
