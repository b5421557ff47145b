package dev.ebb.api.policies;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.Priority;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows presets, and what a policy means in hours. Nothing here is stored. */
@RestController
@RequestMapping(produces = "application/json")
public final class PoliciesController {
  private final Bodies bodies;
  private final Previews previews;

  PoliciesController(Bodies bodies, Previews previews) {
    this.bodies = bodies;
    this.previews = previews;
  }

  @GetMapping("/v1/policies")
  @Needs
  ResponseEntity<byte[]> presets() {
    return Answer.ok(PresetResource.all());
  }

  @PostMapping("/v1/policies/preview")
  @Needs
  ResponseEntity<byte[]> preview(HttpServletRequest request) throws Exception {
    JsonObject body = bodies.object(request);
    body.allow("policy", "priority", "maxAttempts");
    RetryPolicy policy = body.policy();
    RetryPolicy previewed = policy == null ? Presets.policy(Presets.DEFAULT) : policy;
    int priority =
        Objects.requireNonNullElse(body.optional("priority", JsonValue::integer), Priority.DEFAULT);
    int maxAttempts =
        Objects.requireNonNullElse(
            body.optional("maxAttempts", JsonValue::integer), previewed.maxAttempts());
    return previews.inTurn(() ->
        Answer.ok(body.build(() -> PolicyPreviewResource.of(previewed, priority, maxAttempts))));
  }
}
