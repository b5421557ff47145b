package dev.ebb.ui.json;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON, and JSON as trees. */
public final class Json {
  static final JsonMapper MAPPER = JsonMapper.shared();

  private static final JsonMapper DIGITS =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /** The text as a tree. */
  public static JsonNode parsed(String json) {
    return MAPPER.readTree(json);
  }

  /** The same with every digit of its numbers. */
  public static JsonNode parsedExactly(String json) {
    return DIGITS.readTree(json);
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
