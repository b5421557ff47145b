package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The whole contract.
 *
 * @param shared the answers that operations share
 */
public record Reference(
    Prose description, List<Group> groups, List<Response> shared, List<Schema> schemas) {

  /** The operations of a kind of resource, in the order of their paths. */
  public record Group(String name, Prose description, List<Operation> operations) {}

  public static Reference of(JsonNode openApi) {
    OpenApi api = new OpenApi(openApi);
    return new Reference(
        Prose.of(OpenApi.text(openApi.path("info"), "description")),
        groups(api),
        shared(api),
        schemas(api));
  }

  private static List<Group> groups(OpenApi api) {
    List<Operation> operations = Operation.all(api);
    return OpenApi.list(api.root(), "tags").stream()
        .map(tag ->
            new Group(
                OpenApi.text(tag, "name"),
                Prose.of(OpenApi.text(tag, "description")),
                operations.stream()
                    .filter(each -> each.tag().equals(OpenApi.text(tag, "name")))
                    .toList()))
        .toList();
  }

  private static List<Response> shared(OpenApi api) {
    List<Response> shared = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : components(api, "responses")) {
      shared.add(Response.of(api, each.getKey(), "", each.getValue()));
    }
    return List.copyOf(shared);
  }

  private static List<Schema> schemas(OpenApi api) {
    return components(api, "schemas").stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> Schema.of(api, each.getKey(), each.getValue()))
        .toList();
  }

  private static List<Map.Entry<String, JsonNode>> components(OpenApi api, String of) {
    return List.copyOf(api.root().path("components").path(of).properties());
  }
}
