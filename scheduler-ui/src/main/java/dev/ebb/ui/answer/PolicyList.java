package dev.ebb.ui.answer;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Policies that have a name: presets, then those that are stored. */
public record PolicyList(List<Named> items) {

  /** One of them. */
  public record Named(String name, boolean builtIn, JsonNode policy) {
    /** The policy by its fields. */
    public Policy words() {
      return Policy.of(policy);
    }
  }
}
