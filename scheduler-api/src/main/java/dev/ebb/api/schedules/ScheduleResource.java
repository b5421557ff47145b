package dev.ebb.api.schedules;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.ScheduleFire;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.schedule.ScheduleView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows schedules. */
final class ScheduleResource {
  private ScheduleResource() {}

  static NamedSchedule of(
      ScheduleView view,
      NamedSchedule.Template job,
      @Nullable ScheduleFire last,
      @Nullable List<ScheduleFire> fires) {
    Schedule schedule = view.schedule();
    boolean paused = view.pause() != null;
    return new NamedSchedule(
        schedule.name(),
        schedule.timing() instanceof Timing.ByCron(var cron) ? cron.text() : null,
        schedule.timing() instanceof Timing.Every(var interval) ? interval : null,
        schedule.timing().words(),
        schedule.timing() instanceof Timing.Every ? Answer.shown(view.origin()) : null,
        schedule.zone().getId(),
        Answer.shownOrNull(schedule.startAt()),
        Answer.shownOrNull(schedule.endAt()),
        ExclusionsBody.shown(schedule.exclusions()),
        job,
        ScheduleWords.of(schedule.misfires().rule()),
        schedule.misfires().most(),
        ScheduleWords.of(schedule.overlap()),
        paused,
        pause(view.pause()),
        paused ? null : Answer.shownOrNull(view.nextFireAt()),
        last,
        view.waiting(),
        Answer.shown(view.createdAt()),
        Answer.shown(view.changedAt()),
        fires);
  }

  private static NamedSchedule.@Nullable Pause pause(ScheduleView.@Nullable Pause pause) {
    return pause == null
        ? null
        : new NamedSchedule.Pause(Answer.shown(pause.since()), pause.by(), pause.reason());
  }
}
