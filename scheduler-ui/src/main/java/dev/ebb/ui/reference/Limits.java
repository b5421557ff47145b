package dev.ebb.ui.reference;

import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a schema asks of a value besides its type, each rule in a few words. */
final class Limits {
  private Limits() {}

  static List<String> of(JsonNode schema) {
    List<String> limits = new ArrayList<>();
    add(schema, "", limits);
    if (schema.path("items").isObject() && OpenApi.component(schema.path("items")).isEmpty()) {
      add(schema.path("items"), "each ", limits);
    }
    if (schema.path("additionalProperties").isObject()) {
      add(schema.path("additionalProperties"), "each ", limits);
    }
    if (schema.path("propertyNames").has("pattern")) {
      limits.add("names match " + OpenApi.text(schema.path("propertyNames"), "pattern"));
    }
    if (schema.has("default")) {
      limits.add("default " + plain(schema.path("default")));
    }
    for (JsonNode example : OpenApi.list(schema, "examples")) {
      if (example.isValueNode()) {
        limits.add("for example " + plain(example));
      }
    }
    return List.copyOf(limits);
  }

  private static void add(JsonNode schema, String before, List<String> limits) {
    addRange(schema, "minimum", "maximum", before, "", limits);
    addRange(schema, "minLength", "maxLength", before, " characters", limits);
    addRange(schema, "minItems", "maxItems", before, " elements", limits);
    addRange(schema, "minProperties", "maxProperties", before, " members", limits);
    if (schema.has("enum")) {
      limits.add(before + "one of " + String.join(", ", OpenApi.texts(schema, "enum")));
    }
    if (schema.has("const")) {
      limits.add(before + "always " + plain(schema.path("const")));
    }
    if (schema.has("pattern")) {
      limits.add(before + "matches " + OpenApi.text(schema, "pattern"));
    }
  }

  private static void addRange(
      JsonNode schema, String least, String most, String before, String unit, List<String> limits) {
    if (schema.has(least) && schema.has(most)) {
      limits.add(before + number(schema.path(least)) + " to " + number(schema.path(most)) + unit);
    } else if (schema.has(least)) {
      limits.add(before + "at least " + number(schema.path(least)) + unit);
    } else if (schema.has(most)) {
      limits.add(before + "at most " + number(schema.path(most)) + unit);
    }
  }

  private static String plain(JsonNode value) {
    return value.isString() ? value.asString() : value.toString();
  }

  private static String number(JsonNode value) {
    return value.isIntegralNumber() ? Words.number(value.asLong()) : value.toString();
  }
}
