package dev.ebb.api.kinds;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.KindList;
import dev.ebb.contract.KindSettings;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.LabelPointers;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.named.Kinds;
import dev.ebb.db.named.NamedSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;

/** Shows, stores and removes the settings of kinds. */
@Controller
public final class KindsController {
  private static final String LABELS_FROM = "labelsFrom";

  private final Bodies bodies;
  private final Kinds kinds;

  KindsController(Bodies bodies, Kinds kinds) {
    this.bodies = bodies;
    this.kinds = kinds;
  }

  @GetMapping(path = "/v1/kinds", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer list() throws SQLException {
    return Answer.ok(new KindList(kinds.all().stream().map(KindsController::shown).toList()));
  }

  @GetMapping(path = "/v1/kinds/{kind}", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String kind) throws SQLException {
    requireName(kind);
    NamedSettings<Map<String, String>> found = kinds.find(kind).orElseThrow(() -> unknown(kind));
    return Answer.ok(shown(found)).tagged();
  }

  @PutMapping(path = "/v1/kinds/{kind}", produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer put(HttpServletRequest request, @PathVariable String kind) throws SQLException {
    requireName(kind);
    JsonObject body = bodies.object(request);
    body.allow(LABELS_FROM, "reason");
    body.required(LABELS_FROM);
    Map<String, String> given = body.strings(LABELS_FROM);
    Map<String, String> labelsFrom = body.build(() -> LabelPointers.checked(given));
    Caller caller = Caller.of(request);
    Act act = caller.act(request, body);
    Consumer<Optional<NamedSettings<Map<String, String>>>> allowed =
        now ->
            caller.requireForLabels(now.map(NamedSettings::settings).orElse(Map.of()), labelsFrom);
    Consumer<Optional<NamedSettings<Map<String, String>>>> meant =
        Conditions.of(request).forPut(KindsController::shown);
    NamedSettings.Write<Map<String, String>> written =
        kinds.put(kind, labelsFrom, act, allowed.andThen(meant));
    KindSettings resource = shown(written.written());
    return written.created() ? Answer.created("/v1/kinds/" + kind, resource) : Answer.ok(resource);
  }

  @DeleteMapping("/v1/kinds/{kind}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String kind) throws SQLException {
    requireName(kind);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    Conditions conditions = Conditions.of(request);
    if (!kinds.remove(kind, act, conditions.forDelete(KindsController::shown))) {
      throw unknown(kind);
    }
    return Answer.none();
  }

  private static KindSettings shown(NamedSettings<Map<String, String>> kind) {
    return new KindSettings(kind.name(), kind.settings(), Answer.shown(kind.createdAt()));
  }

  private static Refusal unknown(String kind) {
    return Refusal.of(ProblemCode.KIND_NOT_FOUND, "The kind " + kind + " has no settings.");
  }

  private static void requireName(String kind) {
    try {
      NewJob.requireKind(kind);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
  }
}
