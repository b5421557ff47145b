package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * An answer.
 *
 * @param name under which operations share it; empty if it is of one alone
 * @param status empty of one that is shared
 */
public record Response(
    String name, String status, Prose description, List<Field> headers, List<Content> contents) {

  static Response of(OpenApi api, String name, String status, JsonNode described) {
    List<Field> headers = new ArrayList<>();
    for (Map.Entry<String, JsonNode> header : described.path("headers").properties()) {
      headers.add(Field.of(api.resolved(header.getValue()), header.getKey()));
    }
    return new Response(
        name,
        status,
        Prose.of(OpenApi.text(described, "description")),
        List.copyOf(headers),
        Content.of(api, described));
  }

  /** The answers of an operation. */
  static List<Response> all(OpenApi api, JsonNode operation) {
    List<Response> responses = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : operation.path("responses").properties()) {
      String name = OpenApi.component(each.getValue());
      responses.add(of(api, name, each.getKey(), api.resolved(each.getValue())));
    }
    return List.copyOf(responses);
  }

  /** Whether it stands where an operation answers it, and its body is shown once, elsewhere. */
  public boolean isLink() {
    return !name.isEmpty() && !status.isEmpty();
  }
}
