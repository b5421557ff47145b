package dev.ebb.api.policies;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.policy.PolicyView;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A policy that has a name.
 *
 * @param builtIn whether it is a preset, which nobody changes
 * @param createdAt absent for a preset
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PolicyResource(String name, boolean builtIn, JsonNode policy, @Nullable Instant createdAt) {

  /** Presets by name, then those that are stored by name. */
  record Items(List<PolicyResource> items) {}

  static Items all(List<PolicyView> stored) {
    return new Items(
        Stream.concat(
                Presets.names().stream().map(PolicyResource::preset),
                stored.stream().map(PolicyResource::of))
            .toList());
  }

  static PolicyResource preset(String name) {
    return new PolicyResource(name, true, PolicyJson.write(Presets.policy(name)), null);
  }

  static PolicyResource of(PolicyView stored) {
    return new PolicyResource(
        stored.name(), false, PolicyJson.write(stored.policy()), Answer.shown(stored.createdAt()));
  }
}
