package dev.ebb.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An example of a body, and what its schema calls the same: for each field that is optional. */
final class ExampleVariants {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Schemas schemas;
  private final List<Variant> variants = new ArrayList<>();

  private ExampleVariants(Schemas schemas) {
    this.schemas = schemas;
  }

  /**
   * One field, left out and said in other ways.
   *
   * @param pointer to the field
   * @param isInExample whether the example has the field, so that leaving it out changes it
   * @param without the body without the field
   * @param unsaid bodies in which the field is null, its default, or an empty list
   */
  record Variant(String pointer, boolean isInExample, JsonNode without, List<JsonNode> unsaid) {}

  static List<Variant> of(Schemas schemas, JsonNode schema, JsonNode example) {
    ExampleVariants made = new ExampleVariants(schemas);
    made.add("", schema, example, value -> value);
    return made.variants;
  }

  /**
   * Adds those of the fields below.
   *
   * @param whole makes the body of what stands at the pointer
   */
  private void add(
      String pointer, JsonNode described, JsonNode value, Function<JsonNode, JsonNode> whole) {
    JsonNode schema = plain(described, value);
    if (value instanceof ObjectNode object) {
      List<String> required =
          schema.path("required").valueStream().map(JsonNode::asString).toList();
      for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
        String name = field.getKey();
        if (!required.contains(name)) {
          variants.add(variant(pointer + "/" + name, name, field.getValue(), object, whole));
        }
        if (object.has(name)) {
          add(
              pointer + "/" + name,
              field.getValue(),
              object.path(name),
              member -> whole.apply(with(object, name, member)));
        }
      }
    } else if (value instanceof ArrayNode array && !array.isEmpty()) {
      add(
          pointer + "/0",
          schema.path("items"),
          array.path(0),
          first -> {
            ArrayNode others = array.deepCopy();
            others.set(0, first);
            return whole.apply(others);
          });
    }
  }

  private Variant variant(
      String pointer,
      String name,
      JsonNode described,
      ObjectNode object,
      Function<JsonNode, JsonNode> whole) {
    JsonNode schema = plain(described, object.path(name));
    Stream<JsonNode> same =
        Stream.of(
                Stream.of(JSON.nullNode()),
                Stream.of(schema.path("default")).filter(one -> !one.isMissingNode()),
                Stream.of(JSON.arrayNode())
                    .filter(_ -> schema.path("type").asString("").equals("array")))
            .flatMap(one -> one);
    ObjectNode without = object.deepCopy();
    without.remove(name);
    return new Variant(
        pointer,
        object.has(name),
        whole.apply(without),
        same.map(value -> whole.apply(with(object, name, value))).toList());
  }

  private static ObjectNode with(ObjectNode object, String name, JsonNode value) {
    ObjectNode changed = object.deepCopy();
    changed.set(name, value);
    return changed;
  }

  /** The schema behind references, and of several that of such a value. */
  private JsonNode plain(JsonNode described, JsonNode value) {
    JsonNode schema = schemas.resolve(described);
    for (JsonNode part : schema.path("allOf")) {
      return plain(part, value);
    }
    return schema
        .path("oneOf")
        .valueStream()
        .map(one -> plain(one, value))
        .filter(one -> one.path("type").asString("").equals(type(value)))
        .findFirst()
        .orElse(schema);
  }

  private static String type(JsonNode value) {
    return value.isObject() ? "object" : value.isString() ? "string" : "";
  }
}
