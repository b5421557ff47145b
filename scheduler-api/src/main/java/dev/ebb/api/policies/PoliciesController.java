package dev.ebb.api.policies;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.NamedPolicy;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Priority;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.named.NamedSettings;
import dev.ebb.db.named.Policies;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Objects;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;

/** Shows presets, stores policies beside them, and tells what a policy means in hours. */
@Controller
public final class PoliciesController {
  private final Bodies bodies;
  private final Policies policies;
  private final NamedPolicies named;
  private final Previews previews;

  PoliciesController(Bodies bodies, Policies policies, NamedPolicies named, Previews previews) {
    this.bodies = bodies;
    this.policies = policies;
    this.named = named;
    this.previews = previews;
  }

  @GetMapping(path = "/v1/policies", produces = "application/json")
  @Needs
  Answer list() throws SQLException {
    return Answer.ok(PolicyResource.all(policies.all()));
  }

  @GetMapping(path = "/v1/policies/{policy}", produces = "application/json")
  @Needs
  Answer find(@PathVariable String policy) throws SQLException {
    return Answer.ok(
            Presets.names().contains(policy)
                ? PolicyResource.preset(policy)
                : policies
                    .find(policy)
                    .map(PolicyResource::of)
                    .orElseThrow(PoliciesController::unknown))
        .tagged();
  }

  /** Stores the policy; the queues that follow it get it at once. */
  @PutMapping(path = "/v1/policies/{policy}", produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer put(HttpServletRequest request, @PathVariable String policy) throws SQLException {
    requireName(policy);
    JsonObject body = bodies.object(request);
    body.allow("policy", "reason");
    body.required("policy");
    RetryPolicy settings = Objects.requireNonNull(body.policy(named.forRequest()));
    Act act = Caller.of(request).act(request, body);
    Conditions conditions = Conditions.of(request);
    NamedSettings.Write<RetryPolicy> written =
        policies.put(policy, settings, act, conditions.forPut(PolicyResource::of));
    NamedPolicy resource = PolicyResource.of(written.written());
    return written.created()
        ? Answer.created("/v1/policies/" + policy, resource)
        : Answer.ok(resource);
  }

  /** Removes a policy that no queue follows. */
  @DeleteMapping("/v1/policies/{policy}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String policy) throws SQLException {
    requireName(policy);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    Conditions conditions = Conditions.of(request);
    Policies.Removal removal =
        policies.remove(policy, act, conditions.forDelete(PolicyResource::of));
    if (!removal.existed()) {
      throw unknown();
    }
    if (!removal.followers().isEmpty()) {
      throw Refusal.of(
          ProblemCode.POLICY_IN_USE,
          "Queues follow the policy: " + String.join(", ", removal.followers()) + ".");
    }
    return Answer.none();
  }

  @PostMapping(path = "/v1/policies/preview", produces = "application/json")
  @Needs
  Answer preview(JsonObject body) throws Exception {
    body.allow("policy", "priority", "maxAttempts", "jobs");
    RetryPolicy policy = body.policy(named.forRequest());
    RetryPolicy previewed = policy == null ? Presets.policy(Presets.DEFAULT) : policy;
    int priority =
        Objects.requireNonNullElse(body.optional("priority", JsonValue::integer), Priority.DEFAULT);
    int maxAttempts =
        Objects.requireNonNullElse(
            body.optional("maxAttempts", JsonValue::integer), previewed.maxAttempts());
    int jobs = Objects.requireNonNullElse(body.optional("jobs", JsonValue::integer), 1);
    return previews.inTurn(() ->
        Answer.ok(
            body.build(() -> PolicyPreviewResource.of(previewed, priority, maxAttempts, jobs))));
  }

  private static void requireName(String name) {
    if (Presets.names().contains(name)) {
      throw Refusal.of(
          ProblemCode.WRONG_STATE, "The policy " + name + " is built in and cannot be changed.");
    }
    try {
      Policies.requireName(name);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
  }

  private static Refusal unknown() {
    return Refusal.of(
        ProblemCode.POLICY_NOT_FOUND, "There is no policy of this name; see /v1/policies.");
  }
}
