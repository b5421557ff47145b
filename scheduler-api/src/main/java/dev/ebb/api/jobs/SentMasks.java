package dev.ebb.api.jobs;

import dev.ebb.api.problem.Refusal;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who reads a payload and sends it back changed sends what masks it as well. */
final class SentMasks {
  private SentMasks() {}

  /**
   * Refuses a payload that has a mask where answers show one, in the place of what is stored.
   *
   * @param at the pointer to the payload in the body
   * @param shown the payload as the caller is shown it
   */
  static void requireNone(String at, String given, String shown, String stored) {
    if (shown.equals(stored)) {
      return;
    }
    try {
      requireNone(
          at,
          JsonMapper.shared().readTree(given),
          JsonMapper.shared().readTree(shown),
          JsonMapper.shared().readTree(stored));
    } catch (JacksonException notJson) {
      // Its rule is told when it is stored.
    }
  }

  private static void requireNone(String at, JsonNode given, JsonNode shown, JsonNode stored) {
    if (given.isString() && given.equals(shown) && !given.equals(stored)) {
      throw Refusal.field(at, "must be given anew: answers show a mask in its place");
    }
    for (Map.Entry<String, JsonNode> field : given.properties()) {
      String name = field.getKey();
      requireNone(at + "/" + name, field.getValue(), shown.path(name), stored.path(name));
    }
    for (int i = 0; given.isArray() && i < given.size(); i++) {
      requireNone(at + "/" + i, given.path(i), shown.path(i), stored.path(i));
    }
  }
}
