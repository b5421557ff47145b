package dev.ebb.ui.reference;

import dev.ebb.ui.json.Exact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A body of a request or an answer. */
public record Content(
    String mediaType, Type type, List<Field> fields, Prose description, List<Example> examples) {

  /** A body as it may be; without a summary where there is only one. */
  public record Example(String summary, String text) {}

  static List<Content> of(OpenApi api, JsonNode described) {
    List<Content> contents = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : described.path("content").properties()) {
      JsonNode schema = each.getValue().path("schema");
      contents.add(
          new Content(
              each.getKey(),
              Type.of(schema),
              Field.of(api, schema),
              Prose.of(OpenApi.text(api.resolved(schema), "description")),
              examples(each.getValue(), api.resolved(schema))));
    }
    return List.copyOf(contents);
  }

  private static List<Example> examples(JsonNode content, JsonNode schema) {
    List<Example> examples = new ArrayList<>();
    if (content.has("example")) {
      examples.add(new Example("", text(content.path("example"))));
    }
    for (JsonNode each : OpenApi.list(content, "examples")) {
      examples.add(new Example(OpenApi.text(each, "summary"), text(each.path("value"))));
    }
    return examples.isEmpty() ? examples(schema).stream().limit(1).toList() : List.copyOf(examples);
  }

  /** Those of a schema itself. */
  static List<Example> examples(JsonNode schema) {
    return OpenApi.list(schema, "examples").stream()
        .filter(JsonNode::isContainer)
        .map(each -> new Example("", text(each)))
        .toList();
  }

  private static String text(JsonNode value) {
    return value.isString() ? value.asString() : Exact.of(value).text();
  }
}
