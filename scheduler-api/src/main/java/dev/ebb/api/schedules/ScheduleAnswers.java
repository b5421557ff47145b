package dev.ebb.api.schedules;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobTemplates;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.NamedScheduleList;
import dev.ebb.contract.ScheduleFire;
import dev.ebb.contract.ScheduleFireList;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.JobState;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.schedule.FirePage;
import dev.ebb.db.schedule.FireView;
import dev.ebb.db.schedule.SchedulePage;
import dev.ebb.db.schedule.ScheduleView;
import dev.ebb.db.schedule.Schedules;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds schedules by the names in paths, and shows them and their fires. */
public final class ScheduleAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleAnswers.class);

  private final Schedules schedules;
  private final JobReads jobs;
  private final JobTemplates templates;

  ScheduleAnswers(Schedules schedules, JobReads jobs, JobTemplates templates) {
    this.schedules = schedules;
    this.jobs = jobs;
    this.templates = templates;
  }

  ScheduleView find(String name) throws SQLException {
    requireName(name);
    return schedules.find(name).orElseThrow(() -> unknown(name));
  }

  /** The schedule with its tag. */
  Answer tagged(ScheduleView view, Caller caller) throws SQLException {
    return Answer.ok(shown(view, caller)).tagged(bytes -> ScheduleTag.of(view, bytes));
  }

  private NamedSchedule shown(ScheduleView view, Caller caller) throws SQLException {
    return shown(view, caller, states(Stream.ofNullable(view.last())));
  }

  /** The schedule after a write. */
  NamedSchedule written(ScheduleView view, Caller caller) {
    return shown(view, caller, statesIfRead(Stream.ofNullable(view.last())));
  }

  /** A fire that was just served. */
  ScheduleFire served(FireView fire) {
    return FireResource.of(fire, statesIfRead(Stream.of(fire)));
  }

  private NamedSchedule shown(ScheduleView view, Caller caller, Map<UUID, JobState> states) {
    FireView last = view.last();
    return ScheduleResource.of(
        view,
        templates.shown(view.schedule().template(), caller),
        last == null ? null : FireResource.of(last, states),
        null);
  }

  ScheduleFireList fires(FirePage page) throws SQLException {
    Map<UUID, JobState> states = states(page.fires().stream());
    return new ScheduleFireList(all(page.fires(), states), FireCursor.write(page.next()));
  }

  /**
   * A page of schedules, without the payloads of their jobs.
   *
   * @param fires how many of its last fires each shows
   */
  NamedScheduleList page(SchedulePage page, int fires) throws SQLException {
    List<String> names = page.schedules().stream().map(one -> one.schedule().name()).toList();
    Map<String, List<FireView>> recent = fires == 0 ? Map.of() : schedules.recent(names, fires);
    Stream<FireView> lasts =
        page.schedules().stream().map(ScheduleView::last).filter(Objects::nonNull);
    Map<UUID, JobState> states =
        states(Stream.concat(lasts, recent.values().stream().flatMap(List::stream)));
    List<NamedSchedule> items =
        page.schedules().stream()
            .map(one -> listed(one, fires == 0 ? null : recent, states))
            .toList();
    return new NamedScheduleList(items, page.next());
  }

  private NamedSchedule listed(
      ScheduleView view, @Nullable Map<String, List<FireView>> recent, Map<UUID, JobState> states) {
    FireView last = view.last();
    String name = view.schedule().name();
    return ScheduleResource.of(
        view,
        templates.listed(view.schedule().template()),
        last == null ? null : FireResource.of(last, states),
        recent == null ? null : all(recent.getOrDefault(name, List.of()), states));
  }

  private static List<ScheduleFire> all(List<FireView> fires, Map<UUID, JobState> states) {
    return fires.stream().map(fire -> FireResource.of(fire, states)).toList();
  }

  /** How the jobs of the fires stand now. */
  private Map<UUID, JobState> states(Stream<FireView> fires) throws SQLException {
    List<UUID> ids = fires.map(FireView::jobId).filter(Objects::nonNull).distinct().toList();
    return jobs.states(ids);
  }

  /** The same, or nothing: what was committed must not look refused. */
  private Map<UUID, JobState> statesIfRead(Stream<FireView> fires) {
    try {
      return states(fires);
    } catch (SQLException | RuntimeException failure) {
      LOG.warn("The write is committed, reading its job failed: {}", failure.getMessage());
      return Map.of();
    }
  }

  static void requireName(String name) {
    try {
      Schedule.requireName(name);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter("schedule", invalid.rule());
    }
  }

  static Refusal unknown(String name) {
    return Refusal.of(ProblemCode.SCHEDULE_NOT_FOUND, "There is no schedule " + name + ".");
  }
}
