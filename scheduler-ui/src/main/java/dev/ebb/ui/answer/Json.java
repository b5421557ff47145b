package dev.ebb.ui.answer;

import dev.ebb.api.inside.Reply;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads answers. What they say beyond what a page shows is left alone. */
public final class Json {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private Json() {}

  /** What a reply tells, if need be as one of the records of this package. */
  public static <T> T read(Reply reply, Class<T> type) {
    Object body = reply.body();
    return type.isInstance(body)
        ? type.cast(body)
        : MAPPER.readValue(MAPPER.writeValueAsBytes(body), type);
  }

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

  /** A tree as a record. */
  public static <T> T as(JsonNode tree, Class<T> type) {
    return MAPPER.treeToValue(tree, type);
  }

  /** The text of a value, indented. */
  public static String pretty(Object value) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
