package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a schedule fires. The origin is from where its interval counts; cron expressions do without.
 */
public final class FireTimes {
  private FireTimes() {}

  /** The first fire after the instant; {@code null} if there is none. */
  public static @Nullable Fire next(Schedule schedule, Instant origin, Instant after) {
    Fire fire = endless(schedule, schedule.exclusions(), origin, after);
    return fire == null || isOver(schedule, fire) ? null : fire;
  }

  private static boolean isOver(Schedule schedule, Fire fire) {
    return schedule.endAt() != null && !fire.at().isBefore(schedule.endAt());
  }

  /** As if it had no end. */
  private static @Nullable Fire endless(
      Schedule schedule, Exclusions exclusions, Instant origin, Instant after) {
    Instant start = schedule.startAt();
    Instant from = start != null && after.isBefore(start) ? before(start) : after;
    return switch (schedule.timing()) {
      case Timing.ByCron(Cron cron) -> new CronFires(cron, schedule.zone(), exclusions).next(from);
      case Timing.Every(Duration interval) ->
          new IntervalFires(interval, origin, schedule.zone(), exclusions).next(from);
    };
  }

  private static Instant before(Instant instant) {
    return instant.minusNanos(1);
  }

  /**
   * The fires after the instant, at most so many, and those of {@value CronDates#CYCLE_YEARS}
   * years: to walk through days that are excluded takes time.
   *
   * @param count 1 or more
   */
  public static List<Fire> next(Schedule schedule, Instant origin, Instant after, int count) {
    List<Fire> fires = new ArrayList<>();
    Fire fire = next(schedule, origin, after);
    Instant end = fire == null ? after : fire.at().plus(CronDates.CYCLE);
    while (fire != null && !fire.at().isAfter(end)) {
      fires.add(fire);
      fire = fires.size() < count ? next(schedule, origin, fire.at()) : null;
    }
    return fires;
  }

  /**
   * Throws {@link InvalidInput} if it never fires from its start on, or after the instant if it has
   * none; the field is the one without which it would.
   *
   * @param origin as of {@link #next}
   */
  public static void requireFires(Schedule schedule, Instant origin, Instant now) {
    Instant start = schedule.startAt();
    Instant after = start == null ? now : before(start);
    if (next(schedule, origin, after) != null) {
      return;
    }
    Fire fire = endless(schedule, Exclusions.NONE, origin, after);
    if (fire == null) {
      throw new InvalidInput(
          CronError.FIELD, "must name a time after " + (start == null ? now : start));
    }
    require(
        !isOver(schedule, fire),
        "endAt",
        "must be after the first fire, which would be at " + fire.at());
    throw new InvalidInput("exclude", "must not exclude every fire");
  }
}
