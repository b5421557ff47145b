package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A member of an object, a parameter or a header.
 *
 * @param name of a member within another its path, such as {@code pause.until}; {@code []} follows
 *     the name of an array, and {@code .*} that of a map
 */
public record Field(
    String name, Type type, boolean isRequired, List<String> limits, Prose description) {

  /** The members of an object, those within its own objects included. */
  static List<Field> of(OpenApi api, JsonNode schema) {
    List<Field> fields = new ArrayList<>();
    add(api, "", api.resolved(schema), Set.of(), fields);
    return List.copyOf(fields);
  }

  /** A parameter, or a header of an answer. */
  static Field of(JsonNode described, String name) {
    JsonNode schema = described.path("schema");
    List<String> limits = new ArrayList<>(Limits.of(schema));
    if (described.has("example")) {
      limits.add("for example " + OpenApi.text(described, "example"));
    }
    String own = OpenApi.text(described, "description");
    return new Field(
        name,
        Type.of(schema),
        described.path("required").asBoolean(false),
        limits,
        Prose.of(own.isEmpty() ? OpenApi.text(schema, "description") : own));
  }

  private static void add(
      OpenApi api, String within, JsonNode schema, Set<String> alsoRequired, List<Field> fields) {
    Set<String> required = new HashSet<>(alsoRequired);
    required.addAll(OpenApi.texts(schema, "required"));
    for (JsonNode whole : OpenApi.list(schema, "allOf")) {
      add(api, within, api.resolved(whole), required, fields);
    }
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      JsonNode value = member.getValue();
      String name = within + member.getKey();
      fields.add(
          new Field(
              name,
              Type.of(value),
              required.contains(member.getKey()),
              Limits.of(value),
              Prose.of(OpenApi.text(value, "description"))));
      addWithin(api, name, value, fields);
    }
  }

  /** Only what has no name of its own: a schema that has one is described there. */
  private static void addWithin(OpenApi api, String name, JsonNode value, List<Field> fields) {
    if (value.has("properties")) {
      add(api, name + ".", value, Set.of(), fields);
    }
    if (value.path("items").has("properties")) {
      add(api, name + "[].", value.path("items"), Set.of(), fields);
    }
    if (value.path("additionalProperties").has("properties")) {
      add(api, name + ".*.", value.path("additionalProperties"), Set.of(), fields);
    }
  }

  /** Whether it belongs to an object within another. */
  public boolean isNested() {
    return name.indexOf('.') >= 0;
  }
}
