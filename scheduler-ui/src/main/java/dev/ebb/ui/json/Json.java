package dev.ebb.ui.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON, and JSON as trees. */
public final class Json {
  static final JsonMapper MAPPER = JsonMapper.shared();

  private Json() {}

  /** The text as a tree. */
  public static JsonNode parsed(String json) {
    return MAPPER.readTree(json);
  }

  /** A value as a tree. */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** The text of a value, in a line. */
  public static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** The text of a value, indented. */
  public static String pretty(Object value) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
