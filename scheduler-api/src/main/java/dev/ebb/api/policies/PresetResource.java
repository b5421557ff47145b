package dev.ebb.api.policies;

import dev.ebb.core.retry.Presets;
import dev.ebb.db.json.PolicyJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A policy that has a name. */
record PresetResource(String name, JsonNode policy) {

  /** All presets by name. */
  record Items(List<PresetResource> items) {}

  static Items all() {
    return new Items(
        Presets.names().stream()
            .map(name -> new PresetResource(name, PolicyJson.write(Presets.policy(name))))
            .toList());
  }
}
