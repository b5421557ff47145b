package dev.ebb.api.schedules;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.TemplateResource;
import dev.ebb.contract.Paged;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.schedule.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as answers show it; what does not apply is left out.
 *
 * @param words what its times mean
 * @param origin from when its interval counts
 * @param nextFireAt absent while it is paused, and once it fires no more
 * @param fires the last ones, in a list that was asked for them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ScheduleResource(
    String name,
    @Nullable String cron,
    @Nullable Duration every,
    String words,
    @Nullable Instant origin,
    String timeZone,
    @Nullable Instant startAt,
    @Nullable Instant endAt,
    ExclusionsBody.@Nullable Shown exclude,
    TemplateResource job,
    String misfire,
    int mostMisfires,
    String overlap,
    boolean paused,
    @Nullable Pause pause,
    @Nullable Instant nextFireAt,
    @Nullable FireResource lastFire,
    int waitingFires,
    Instant createdAt,
    Instant changedAt,
    @Nullable List<FireResource> fires) {

  /** Since when, by whom and why it is paused. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Pause(Instant since, String by, @Nullable String reason) {
    static @Nullable Pause of(ScheduleView.@Nullable Pause pause) {
      return pause == null
          ? null
          : new Pause(Answer.shown(pause.since()), pause.by(), pause.reason());
    }
  }

  /**
   * A page of schedules, by name.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<ScheduleResource> items, @Nullable String nextCursor) implements Paged {}

  static ScheduleResource of(
      ScheduleView view,
      TemplateResource job,
      @Nullable FireResource last,
      @Nullable List<FireResource> fires) {
    Schedule schedule = view.schedule();
    boolean paused = view.pause() != null;
    return new ScheduleResource(
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
        Pause.of(view.pause()),
        paused ? null : Answer.shownOrNull(view.nextFireAt()),
        last,
        view.waiting(),
        Answer.shown(view.createdAt()),
        Answer.shown(view.changedAt()),
        fires);
  }
}
