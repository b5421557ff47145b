package dev.ebb.db.schedule;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.audit.Changes;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a schedule, for the audit. */
final class ScheduleChanges {
  /** What follows has payloads as well. */
  private static final Set<String> HIDDEN = Set.of("payload", "then");

  private final @Nullable Schedule before;
  private final @Nullable Schedule after;
  private final Changes changes = new Changes();

  private ScheduleChanges(@Nullable Schedule before, @Nullable Schedule after) {
    this.before = before;
    this.after = after;
  }

  /**
   * What differs.
   *
   * @param before {@code null} where there was none
   * @param after {@code null} where there is none any more
   */
  static Changes of(@Nullable Schedule before, @Nullable Schedule after) {
    return new ScheduleChanges(before, after)
        .add("times", one -> times(one.timing()))
        .add("timeZone", Schedule::zone)
        .add("startAt", Schedule::startAt)
        .add("endAt", Schedule::endAt)
        .add("exclude", one -> days(one.exclusions()))
        .add("misfire", one -> misfires(one.misfires()))
        .add("overlap", one -> one.overlap().word())
        .withJob()
        .withPayload();
  }

  private ScheduleChanges add(String field, Function<Schedule, @Nullable Object> value) {
    changes.add(field, of(before, value), of(after, value));
    return this;
  }

  private ScheduleChanges withJob() {
    for (RecordComponent field : NewJob.class.getRecordComponents()) {
      if (!HIDDEN.contains(field.getName())) {
        add("job." + field.getName(), one -> value(field, one.template()));
      }
    }
    return this;
  }

  private static @Nullable Object value(RecordComponent field, NewJob job) {
    try {
      return field.getAccessor().invoke(job);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Changes withPayload() {
    Function<Schedule, @Nullable Object> payload = one -> one.template().payload();
    Function<Schedule, @Nullable Object> then = one -> one.template().then();
    return changes
        .addHidden("job.payload", of(before, payload), of(after, payload))
        .addHidden("job.then", of(before, then), of(after, then));
  }

  private static @Nullable Object of(
      @Nullable Schedule schedule, Function<Schedule, @Nullable Object> value) {
    return schedule == null ? null : value.apply(schedule);
  }

  private static String misfires(Misfires misfires) {
    return misfires.rule().name().toLowerCase(Locale.ROOT) + ", at most " + misfires.most();
  }

  private static Object times(Timing timing) {
    return switch (timing) {
      case Timing.ByCron(var cron) -> cron.text();
      case Timing.Every(var interval) -> "every " + interval;
    };
  }

  private static List<Object> days(Exclusions exclusions) {
    List<Object> days = new ArrayList<>(exclusions.weekdays());
    days.addAll(exclusions.dates());
    days.addAll(exclusions.yearly());
    return days;
  }
}
