package dev.ebb.api;

import java.net.URI;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
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

  /** The examples of a body or an answer; where it has none of its own, those of its schema. */
  List<JsonNode> examples(JsonNode content) {
    List<JsonNode> own = new ArrayList<>();
    content.path("examples").forEach(one -> own.add(one.path("value")));
    if (content.has("example")) {
      own.add(content.path("example"));
    }
    return own.isEmpty()
        ? resolve(content.path("schema")).path("examples").valueStream().toList()
        : own;
  }

  /** The schema of an answer in JSON; missing if it has no body. */
  JsonNode answer(JsonNode operation, int status) {
    JsonNode answer = resolve(operation.path("responses").path(Integer.toString(status)));
    return answer.path("content").path("application/json").path("schema");
  }

  /**
   * References, types, required, enum, bounds, patterns, formats, items, all, any and one of
   * several. Fields that the schema does not name are violations, although JSON Schema allows them;
   * but whether exactly one of a {@code oneOf} matches is decided as JSON Schema does, which a
   * client's validator does too.
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
    if (value.isString()) {
      isWithin(schema, "Length", value.asString().codePointCount(0, value.asString().length()))
          .forEach(violations::add);
      ofText(schema, value.asString()).forEach(violations::add);
    } else if (value.isNumber()) {
      isWithin(schema, "imum", value.asDouble()).forEach(violations::add);
    } else if (value.isArray()) {
      isWithin(schema, "Items", value.size()).forEach(violations::add);
    } else if (value.isObject()) {
      isWithin(schema, "Properties", value.size()).forEach(violations::add);
      String names = schema.at("/propertyNames/pattern").asString("");
      value.propertyNames().stream()
          .filter(name -> !Pattern.compile(names).matcher(name).find())
          .map(name -> "has a member " + name)
          .forEach(violations::add);
    }
    return violations;
  }

  private static Stream<String> isWithin(JsonNode schema, String what, double size) {
    boolean isTooSmall = size < schema.path("min" + what).asDouble(Double.NEGATIVE_INFINITY);
    boolean isTooLarge = size > schema.path("max" + what).asDouble(Double.POSITIVE_INFINITY);
    return isTooSmall || isTooLarge ? Stream.of(size + " is out of bounds: " + what) : Stream.of();
  }

  private static Stream<String> ofText(JsonNode schema, String text) {
    boolean fits =
        Pattern.compile(schema.path("pattern").asString("")).matcher(text).find()
            && switch (schema.path("format").asString("")) {
              case "", "binary" -> true;
              case "date-time" -> isRead(OffsetDateTime::parse, text);
              case "date" -> isRead(LocalDate::parse, text);
              case "uuid" -> isRead(UUID::fromString, text);
              case "uri" -> isRead(URI::create, text);
              default -> false;
            };
    return fits ? Stream.of() : Stream.of(text + " has another form");
  }

  private static boolean isRead(Function<String, ?> read, String text) {
    try {
      return read.apply(text) != null;
    } catch (DateTimeException | IllegalArgumentException unread) {
      return false;
    }
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
