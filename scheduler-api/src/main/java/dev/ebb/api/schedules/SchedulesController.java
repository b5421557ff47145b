package dev.ebb.api.schedules;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.destinations.KnownDestinations;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.jobs.JobTemplates;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.schedule.SchedulePage;
import dev.ebb.db.schedule.ScheduleView;
import dev.ebb.db.schedule.Schedules;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;

/** Shows schedules, and creates, replaces and removes them. */
@Controller
public final class SchedulesController {
  static final int DEFAULT_LIMIT = 50;
  static final int MAX_LIMIT = 200;

  private static final int MOST_FIRES = 30;
  private static final String[] FIELDS =
      ScheduleBodies.timesAnd("job", "misfire", "mostMisfires", "overlap", "reason");

  private final Bodies bodies;
  private final Schedules schedules;
  private final ScheduleAnswers answers;
  private final ScheduleBodies read;
  private final KnownDestinations destinations;

  SchedulesController(
      Bodies bodies,
      Schedules schedules,
      ScheduleAnswers answers,
      JobTemplates templates,
      KnownDestinations destinations) {
    this.bodies = bodies;
    this.schedules = schedules;
    this.answers = answers;
    this.read = new ScheduleBodies(templates);
    this.destinations = destinations;
  }

  @GetMapping(path = "/v1/schedules", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit", "fires"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    int fires = query.integer("fires", 0, MOST_FIRES, 0);
    SchedulePage page = schedules.page(cursor(query.value("cursor")), limit);
    return Answer.ok(answers.page(page, fires));
  }

  /** The cursor is the name of the last schedule that was shown. */
  private static @Nullable String cursor(@Nullable String cursor) {
    try {
      if (cursor != null) {
        Schedule.requireName(cursor);
      }
      return cursor;
    } catch (InvalidInput invalid) {
      throw Refusal.unknownCursor();
    }
  }

  @GetMapping(path = "/v1/schedules/{schedule}", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer find(Caller caller, @PathVariable String schedule) throws SQLException {
    return answers.tagged(answers.find(schedule), caller);
  }

  /** Creates or replaces it: what is left out has its default. */
  @PutMapping(path = "/v1/schedules/{schedule}", produces = "application/json")
  @Needs({Scope.QUEUES_ADMIN, Scope.JOBS_SUBMIT})
  Answer put(HttpServletRequest request, @PathVariable String schedule) throws SQLException {
    ScheduleAnswers.requireName(schedule);
    JsonObject body = bodies.object(request);
    body.allow(FIELDS);
    Caller caller = Caller.of(request);
    ScheduleView before = schedules.find(schedule).orElse(null);
    Schedule settings =
        read.read(schedule, body, before == null ? null : before.schedule(), caller);
    requireDestination(settings.template());
    Act act = caller.act(request, body);
    Consumer<Optional<ScheduleView>> condition = ScheduleTag.forPut(Conditions.of(request));
    Schedules.ScheduleWrite written = written(settings, act, condition);
    NamedSchedule resource = answers.written(written.schedule(), caller);
    return written.created()
        ? Answer.created("/v1/schedules/" + schedule, resource)
        : Answer.ok(resource);
  }

  private void requireDestination(NewJob job) throws SQLException {
    for (Map.Entry<String, NewJob> one : job.withFollowUps().entrySet()) {
      if (!destinations.missing(List.of(one.getValue())).isEmpty()) {
        throw KnownDestinations.refusal("/job" + one.getKey(), one.getValue());
      }
    }
  }

  private Schedules.ScheduleWrite written(
      Schedule settings, Act act, Consumer<Optional<ScheduleView>> condition) throws SQLException {
    try {
      return schedules.put(settings, act, condition);
    } catch (InvalidInput invalid) {
      throw invalid.field().equals("schedule")
          ? Refusal.parameter("schedule", invalid.rule())
          : invalid;
    }
  }

  @DeleteMapping("/v1/schedules/{schedule}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String schedule) throws SQLException {
    ScheduleAnswers.requireName(schedule);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    Conditions conditions = Conditions.of(request);
    if (!schedules.delete(schedule, act, ScheduleTag.forDelete(conditions))) {
      throw ScheduleAnswers.unknown(schedule);
    }
    return Answer.none();
  }
}
