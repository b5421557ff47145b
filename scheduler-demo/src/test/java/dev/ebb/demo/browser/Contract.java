package dev.ebb.demo.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What can be changed over REST, as the contract tells it. */
final class Contract {
  private static final Set<String> CHANGING = Set.of("post", "put", "patch", "delete");

  private final List<Action> actions = new ArrayList<>();

  Contract(JsonNode openApi) {
    for (Map.Entry<String, JsonNode> path : openApi.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        if (CHANGING.contains(verb.getKey())) {
          Set<String> scopes =
              verb.getValue()
                  .path("security")
                  .path(0)
                  .path("token")
                  .valueStream()
                  .map(JsonNode::asString)
                  .collect(Collectors.toSet());
          actions.add(new Action(verb.getKey().toUpperCase(Locale.ROOT), path.getKey(), scopes));
        }
      }
    }
  }

  /**
   * A route that changes something.
   *
   * @param scopes that it takes, all of them
   */
  record Action(String method, String path, Set<String> scopes) {
    /** Whether a form's {@code data-api} asks for it. */
    boolean isOf(String api) {
      return api.matches(method + " " + path.replaceAll("\\{\\w+}", "[^/]+"));
    }
  }

  /** Those that take more than these scopes. */
  List<Action> beyond(Set<String> scopes) {
    return actions.stream().filter(action -> !scopes.containsAll(action.scopes())).toList();
  }

  /** The one that a form's {@code data-api} asks for. */
  Action of(String api) {
    List<Action> found = actions.stream().filter(action -> action.isOf(api)).toList();
    return found.stream()
        .filter(action -> !action.path().contains("{") || found.size() == 1)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the contract has no " + api));
  }
}
