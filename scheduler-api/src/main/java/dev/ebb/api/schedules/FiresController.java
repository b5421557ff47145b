package dev.ebb.api.schedules;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Scope;
import dev.ebb.core.schedule.FireTimes;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.schedule.FirePage;
import dev.ebb.db.schedule.ScheduleView;
import dev.ebb.db.schedule.Schedules;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows when schedules fire, when they did, and when one that is not stored would. */
@Controller
@RequestMapping(produces = "application/json")
public final class FiresController {
  private static final int DEFAULT_COUNT = 10;
  private static final int MOST = 100;
  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final Schedules schedules;
  private final ScheduleAnswers answers;

  FiresController(Schedules schedules, ScheduleAnswers answers) {
    this.schedules = schedules;
    this.answers = answers;
  }

  @GetMapping("/v1/schedules/{schedule}/next")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("count")
  Answer next(Query query, @PathVariable String schedule) throws SQLException {
    int count = query.integer("count", 1, MOST, DEFAULT_COUNT);
    ScheduleView view = answers.find(schedule);
    return Answer.ok(
        FireTimesResource.of(
            view.schedule(),
            FireTimes.next(view.schedule(), view.origin(), schedules.now(), count)));
  }

  @GetMapping("/v1/schedules/{schedule}/fires")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer fires(Query query, @PathVariable String schedule) throws SQLException {
    ScheduleAnswers.requireName(schedule);
    int limit =
        query.integer("limit", 1, SchedulesController.MAX_LIMIT, SchedulesController.DEFAULT_LIMIT);
    FirePage page = schedules.fires(schedule, FireCursor.read(query.value("cursor")), limit);
    if (page.fires().isEmpty()) {
      answers.find(schedule);
    }
    return Answer.ok(answers.fires(page));
  }

  @PostMapping("/v1/schedules/preview")
  @Needs
  Answer preview(JsonObject body) throws SQLException {
    body.allow(ScheduleBodies.timesAnd("from", "count", "origin"));
    Schedule times = ScheduleBodies.times(body);
    int count =
        Objects.requireNonNullElse(body.optional("count", FiresController::count), DEFAULT_COUNT);
    Instant from = from(body.optional("from", FiresController::inRange));
    Instant kept = body.optional("origin", FiresController::inRange);
    Instant origin = Objects.requireNonNullElse(kept, times.originAt(from));
    body.build(() -> {
      require(
          kept == null || times.startAt() == null,
          "origin",
          "must not be given together with startAt");
      FireTimes.requireFires(times, origin, from);
      return times;
    });
    return Answer.ok(FireTimesResource.of(times, FireTimes.next(times, origin, from, count)));
  }

  private static int count(JsonValue field) {
    int count = field.integer();
    if (count < 1 || count > MOST) {
      throw Refusal.field(field.pointer(), "must be between 1 and " + MOST);
    }
    return count;
  }

  private static Instant inRange(JsonValue field) {
    Instant given = field.instant();
    if (given.isBefore(FIRST) || given.isAfter(LAST)) {
      throw Refusal.field(field.pointer(), "must lie in the years 2000 to 9999");
    }
    return given.truncatedTo(ChronoUnit.SECONDS);
  }

  private Instant from(@Nullable Instant given) throws SQLException {
    return given == null ? schedules.now() : given;
  }
}
