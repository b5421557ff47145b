package dev.ebb.api.settings;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Settings;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.settings.ClusterSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows and changes the settings of the whole cluster. */
@Controller
@RequestMapping(produces = "application/json")
public final class SettingsController {
  private static final String SUBJECT = "subject";
  private static final String NOTICES = "notices";

  private final Bodies bodies;
  private final ClusterSettings settings;

  SettingsController(Bodies bodies, ClusterSettings settings) {
    this.bodies = bodies;
    this.settings = settings;
  }

  @GetMapping("/v1/settings")
  @Needs(Scope.JOBS_READ)
  Answer show() throws SQLException {
    return Answer.ok(shown(settings.read())).tagged();
  }

  private static Settings shown(ClusterSettings.Chosen chosen) {
    return new Settings(chosen.subject(), chosen.notices());
  }

  /** A field that the patch does not name stays. */
  @PatchMapping("/v1/settings")
  @Needs(Scope.QUEUES_ADMIN)
  Answer patch(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.mergePatch(request);
    body.allow(SUBJECT, NOTICES, "reason");
    Act act = Caller.of(request).act(request, body);
    Conditions conditions = Conditions.of(request);
    if (body.names(SUBJECT) || body.names(NOTICES)) {
      choose(body, act, conditions);
    } else {
      conditions.requireForPut(Answer.tag(shown(settings.read())));
    }
    return show();
  }

  private void choose(JsonObject body, Act act, Conditions conditions) throws SQLException {
    String label = body.optional(SUBJECT, JsonValue::string);
    String notices = body.optional(NOTICES, JsonValue::string);
    try {
      Optional<UUID> forbids =
          settings.change(
              now ->
                  new ClusterSettings.Chosen(
                      body.names(SUBJECT) ? label : now.subject(),
                      body.names(NOTICES) ? notices : now.notices()),
              act,
              now -> conditions.requireForPut(Answer.tag(shown(now))));
      if (forbids.isPresent()) {
        throw Refusal.of(
            ProblemCode.WRONG_STATE,
            "The operation %s looks for a subject: let it end or cancel it, then choose."
                .formatted(forbids.get()));
      }
    } catch (InvalidInput invalid) {
      throw body.refused(invalid);
    }
  }
}
