package dev.ebb.api.schedules;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.schedule.HandRun;
import dev.ebb.db.schedule.ScheduleView;
import dev.ebb.db.schedule.Schedules;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** An operator's actions on a schedule: pause, resume, run now. */
@Controller
@RequestMapping(produces = "application/json")
public final class ScheduleVerbsController {
  private final Bodies bodies;
  private final Schedules schedules;
  private final ScheduleAnswers answers;
  private final Notifier notifier;

  ScheduleVerbsController(
      Bodies bodies, Schedules schedules, ScheduleAnswers answers, Notifier notifier) {
    this.bodies = bodies;
    this.schedules = schedules;
    this.answers = answers;
    this.notifier = notifier;
  }

  @PostMapping("/v1/schedules/{schedule}/pause")
  @Needs(Scope.JOBS_OPERATE)
  Answer pause(HttpServletRequest request, @PathVariable String schedule) throws SQLException {
    return shown(request, schedule, schedules.pause(schedule, act(request, schedule)));
  }

  @PostMapping("/v1/schedules/{schedule}/resume")
  @Needs(Scope.JOBS_OPERATE)
  Answer resume(HttpServletRequest request, @PathVariable String schedule) throws SQLException {
    return shown(request, schedule, schedules.resume(schedule, act(request, schedule)));
  }

  private Act act(HttpServletRequest request, String schedule) {
    ScheduleAnswers.requireName(schedule);
    return Caller.of(request).act(request, bodies.optional(request, "reason"));
  }

  private Answer shown(HttpServletRequest request, String name, Optional<ScheduleView> changed) {
    ScheduleView view = changed.orElseThrow(() -> ScheduleAnswers.unknown(name));
    return Answer.ok(answers.written(view, Caller.of(request)));
  }

  /** Makes its job at once, whatever its times say. */
  @PostMapping("/v1/schedules/{schedule}/run")
  @Needs(Scope.JOBS_OPERATE)
  Answer run(HttpServletRequest request, @PathVariable String schedule) throws SQLException {
    ScheduleAnswers.requireName(schedule);
    JsonObject body = bodies.optional(request, "reason");
    Act act = Caller.of(request).act(request, body);
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    String queue = answers.find(schedule).schedule().template().queue();
    HandRun.Done done =
        done(
            (key == null ? schedules.run(schedule, act) : schedules.run(schedule, act, key))
                .orElseThrow(() -> ScheduleAnswers.unknown(schedule)));
    notifier.workArrived(queue);
    return IdempotencyKeys.told(Answer.ok(answers.served(done.fire())), done.replayed());
  }

  private static HandRun.Done done(HandRun run) {
    return switch (run) {
      case HandRun.Done done -> done;
      case HandRun.Barred(int waiting) ->
          throw Refusal.of(
              ProblemCode.WRONG_STATE,
              waiting == 0
                  ? "The schedule's last job has not ended, and overlap allows no second one."
                  : "%s fires wait for the job before them. If the schedule is paused, resume it."
                      .formatted(waiting));
      case HandRun.InFlight() -> throw IdempotencyKeys.inFlight();
      case HandRun.KeyReused(Instant firstUsedAt, UUID job) ->
          throw IdempotencyKeys.reused(firstUsedAt, "/v1/jobs/" + job);
    };
  }
}
