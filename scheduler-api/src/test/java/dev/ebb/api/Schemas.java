package dev.ebb.api;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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

  /**
   * References, types, required, enum, items, all, any and one of several. Fields that the schema
   * does not name are violations, although JSON Schema allows them; but whether exactly one of a
   * {@code oneOf} matches is decided as JSON Schema does, which a client's validator does too.
   */
  Set<String> violations(JsonNode described, JsonNode value) {
    return violations(described, value, true);
  }

  private Set<String> violations(JsonNode described, JsonNode value, boolean isClosed) {
    JsonNode schema = resolve(described);
    Set<String> violations = new TreeSet<>(ofValue(schema, value));
    for (JsonNode part : schema.path("allOf")) {
      violations.addAll(violations(part, value, isClosed));
    }
    if (schema.has("anyOf")) {
      violations.addAll(fewest(schema.path("anyOf"), value, isClosed));
    }
    if (schema.has("oneOf")) {
      violations.addAll(ofChoices(schema.path("oneOf"), value));
      violations.addAll(fewest(schema.path("oneOf"), value, isClosed));
    }
    if (schema.has("items")) {
      value.forEach(item -> violations.addAll(violations(schema.path("items"), item, isClosed)));
    }
    value.properties().forEach(member -> violations.addAll(ofMember(schema, member, isClosed)));
    return violations;
  }

  /** What the value itself breaks, whatever it holds. */
  private static Set<String> ofValue(JsonNode schema, JsonNode value) {
    Set<String> violations = new TreeSet<>();
    JsonNode type = schema.path("type");
    Stream<JsonNode> types = type.isArray() ? type.valueStream() : Stream.of(type);
    if (schema.has("type") && types.noneMatch(one -> isOf(one.asString(), value))) {
      violations.add(value + " is not of type " + type);
    }
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asString())) {
        violations.add("lacks " + name);
      }
    }
    if (schema.has("enum") && !schema.path("enum").valueStream().toList().contains(value)) {
      violations.add("is " + value);
    }
    return violations;
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      case "null" -> value.isNull();
      default -> throw new IllegalStateException(type);
    };
  }

  private Set<String> ofMember(
      JsonNode schema, Map.Entry<String, JsonNode> member, boolean isClosed) {
    JsonNode described = schema.path("properties").path(member.getKey());
    JsonNode others = schema.path("additionalProperties");
    if (!described.isMissingNode()) {
      return violations(described, member.getValue(), isClosed);
    }
    if (others.isObject()) {
      return violations(others, member.getValue(), isClosed);
    }
    boolean isRefused = others.isBoolean() ? !others.asBoolean() : isClosed;
    return isRefused && (schema.has("properties") || others.isBoolean())
        ? Set.of("has " + member.getKey())
        : Set.of();
  }

  /** Exactly one is to match, in a world where objects may have more fields. */
  private Set<String> ofChoices(JsonNode choices, JsonNode value) {
    long matching =
        choices.valueStream().filter(one -> violations(one, value, false).isEmpty()).count();
    return matching == 1 ? Set.of() : Set.of("matches " + matching + " of oneOf");
  }

  private Set<String> fewest(JsonNode choices, JsonNode value, boolean isClosed) {
    return choices
        .valueStream()
        .map(choice -> violations(choice, value, isClosed))
        .min(Comparator.comparingInt(Set::size))
        .orElseThrow();
  }
}
