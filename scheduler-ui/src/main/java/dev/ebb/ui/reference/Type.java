package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a value may be, in words, of which some name a schema of the contract. */
public record Type(List<Part> parts) {

  /** Some words. */
  public record Part(String text, boolean isSchema) {}

  static Type of(JsonNode schema) {
    List<Part> parts = new ArrayList<>();
    add(schema, parts);
    return new Type(List.copyOf(parts));
  }

  private static void add(JsonNode schema, List<Part> parts) {
    String component = OpenApi.component(schema);
    if (!component.isEmpty()) {
      parts.add(new Part(component, true));
    } else if (schema.has("oneOf")) {
      addChoice(OpenApi.list(schema, "oneOf"), parts);
    } else if (schema.has("allOf")) {
      add(schema.path("allOf").path(0), parts);
    } else if (schema.path("type").isArray()) {
      addChoice(schema, OpenApi.texts(schema, "type"), parts);
    } else {
      add(schema, OpenApi.text(schema, "type"), parts);
    }
  }

  private static void addChoice(List<JsonNode> schemas, List<Part> parts) {
    for (int i = 0; i < schemas.size(); i++) {
      addOr(i, parts);
      add(schemas.get(i), parts);
    }
  }

  private static void addChoice(JsonNode schema, List<String> names, List<Part> parts) {
    for (int i = 0; i < names.size(); i++) {
      addOr(i, parts);
      add(schema, names.get(i), parts);
    }
  }

  private static void addOr(int at, List<Part> parts) {
    if (at > 0) {
      parts.add(new Part(" or ", false));
    }
  }

  private static void add(JsonNode schema, String name, List<Part> parts) {
    switch (name) {
      case "" -> parts.add(new Part("any JSON", false));
      case "array" -> addOf("array of ", schema.path("items"), parts);
      case "object" -> {
        if (schema.path("additionalProperties").isObject()) {
          addOf("map of ", schema.path("additionalProperties"), parts);
        } else {
          parts.add(new Part(name, false));
        }
      }
      default -> {
        String format = OpenApi.text(schema, "format");
        parts.add(new Part(format.isEmpty() ? name : name + " (" + format + ")", false));
      }
    }
  }

  private static void addOf(String before, JsonNode inner, List<Part> parts) {
    parts.add(new Part(before, false));
    add(inner, parts);
  }
}
