package dev.ebb.ui.reference;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** A named schema. */
public record Schema(
    String name,
    Type type,
    List<String> limits,
    Prose description,
    List<Field> fields,
    List<Content.Example> examples) {

  static Schema of(OpenApi api, String name, JsonNode schema) {
    return new Schema(
        name,
        Type.of(schema),
        Limits.of(schema),
        Prose.of(OpenApi.text(schema, "description")),
        Field.of(api, schema),
        Content.examples(schema));
  }
}
