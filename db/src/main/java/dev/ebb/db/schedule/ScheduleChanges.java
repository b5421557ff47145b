package dev.ebb.db.schedule;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.audit.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a schedule, for the audit. */
final class ScheduleChanges {
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
        .job("kind", NewJob::kind)
        .job("queue", NewJob::queue)
        .job("priority", NewJob::priority)
        .job("maxAttempts", NewJob::maxAttempts)
        .job("policy", NewJob::policy)
        .job("uniqueKey", NewJob::uniqueKey)
        .job("timeout", NewJob::timeout)
        .job("labels", NewJob::labels)
        .withPayload();
  }

  private ScheduleChanges add(String field, Function<Schedule, @Nullable Object> value) {
    changes.add(field, of(before, value), of(after, value));
    return this;
  }

  private ScheduleChanges job(String field, Function<NewJob, @Nullable Object> value) {
    return add("job." + field, one -> value.apply(one.template()));
  }

  private Changes withPayload() {
    Function<Schedule, @Nullable Object> payload = one -> one.template().payload();
    return changes.addHidden("job.payload", of(before, payload), of(after, payload));
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
