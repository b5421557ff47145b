package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What the API does at a path by a method.
 *
 * @param scopes that a token must have, all of them
 * @param isOpen whether it asks for no token
 * @param body of its request; empty without one
 */
public record Operation(
    String id,
    String tag,
    String method,
    String path,
    String summary,
    Prose description,
    List<String> scopes,
    boolean isOpen,
    List<Parameter> parameters,
    boolean isBodyRequired,
    List<Content> body,
    List<Response> responses,
    Curl curl) {

  /** A parameter in the path, the query or a header. */
  public record Parameter(String place, Field field) {}

  /** All, in the order of the contract. */
  static List<Operation> all(OpenApi api) {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : api.root().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        operations.add(of(api, verb.getKey(), path.getKey(), verb.getValue()));
      }
    }
    return List.copyOf(operations);
  }

  private static Operation of(OpenApi api, String method, String path, JsonNode operation) {
    JsonNode body = api.resolved(operation.path("requestBody"));
    return new Operation(
        OpenApi.text(operation, "operationId"),
        operation.path("tags").path(0).asString(""),
        method.toUpperCase(Locale.ROOT),
        path,
        OpenApi.text(operation, "summary"),
        Prose.of(OpenApi.text(operation, "description")),
        OpenApi.texts(operation.path("security").path(0), "token"),
        operation.path("security").isEmpty(),
        parameters(api, operation),
        body.path("required").asBoolean(false),
        Content.of(api, body),
        Response.all(api, operation),
        Curl.of(api, method, path, operation));
  }

  private static List<Parameter> parameters(OpenApi api, JsonNode operation) {
    return OpenApi.list(operation, "parameters").stream()
        .map(api::resolved)
        .map(each ->
            new Parameter(OpenApi.text(each, "in"), Field.of(each, OpenApi.text(each, "name"))))
        .toList();
  }

  /** What a reader may look for, in lower case. */
  public String words() {
    return String.join(" ", method, path, id, summary, tag).toLowerCase(Locale.ROOT);
  }
}
