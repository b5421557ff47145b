package dev.ebb.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The schemas of the contract, and what of JSON Schema the tests need. */
final class Schemas {
  private final JsonNode document;

  Schemas(JsonNode document) {
    this.document = document;
  }

  JsonNode named(String name) {
    return document.path("components").path("schemas").path(name);
  }

  /** What it is, or what its reference leads to. */
  JsonNode resolve(JsonNode described) {
    JsonNode found = described;
    while (found.has("$ref")) {
      found = document.at(found.path("$ref").asString().substring(1));
    }
    return found;
  }

  /** The schema of an answer in JSON; missing if it has no body. */
  JsonNode answer(JsonNode operation, int status) {
    JsonNode answer = resolve(operation.path("responses").path(Integer.toString(status)));
    return answer.path("content").path("application/json").path("schema");
  }

  /** References, required, no others, items, enum, and one of several. */
  Set<String> violations(JsonNode described, JsonNode value) {
    JsonNode schema = resolve(described);
    if (schema.has("oneOf")) {
      return fewest(schema.path("oneOf"), value);
    }
    Set<String> violations = new TreeSet<>();
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asString())) {
        violations.add("lacks " + name);
      }
    }
    if (schema.has("properties")) {
      value.properties().forEach(member -> violations.addAll(violations(schema, member)));
    }
    if (schema.has("enum") && !schema.path("enum").valueStream().toList().contains(value)) {
      violations.add("is " + value);
    }
    if (schema.has("items")) {
      value.forEach(item -> violations.addAll(violations(schema.path("items"), item)));
    }
    return violations;
  }

  private Set<String> violations(JsonNode schema, Map.Entry<String, JsonNode> member) {
    JsonNode described = schema.path("properties").path(member.getKey());
    return described.isMissingNode()
        ? Set.of("has " + member.getKey())
        : violations(described, member.getValue());
  }

  private Set<String> fewest(JsonNode choices, JsonNode value) {
    List<Set<String>> all = new ArrayList<>();
    choices.forEach(choice -> all.add(violations(choice, value)));
    return all.stream().min((a, b) -> Integer.compare(a.size(), b.size())).orElseThrow();
  }
}
