package dev.ebb.api.start;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartState;
import dev.ebb.db.start.StartWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows whether the cluster's start is paused, and resumes it. */
@Controller
@RequestMapping(produces = "application/json")
public final class StartController {
  private final Bodies bodies;
  private final PausedStart start;
  private final StartWatch watch;
  private final Notifier notifier;

  StartController(Bodies bodies, PausedStart start, StartWatch watch, Notifier notifier) {
    this.bodies = bodies;
    this.start = start;
    this.watch = watch;
    this.notifier = notifier;
  }

  @GetMapping("/v1/start")
  @Needs(Scope.JOBS_READ)
  Answer show() throws SQLException {
    return Answer.ok(StartResource.of(start.read()));
  }

  /** Lets everything run. */
  @PostMapping("/v1/start/resume")
  @Needs(Scope.QUEUES_ADMIN)
  Answer resume(HttpServletRequest request) throws SQLException {
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    StartState state = start.resume(act);
    notifier.drainChanged();
    watch.look();
    return Answer.ok(StartResource.of(state));
  }
}
