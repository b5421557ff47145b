package dev.ebb.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Random values of a schema: some that keep it, and some that break it in one place. */
final class SchemaValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int OPTIONAL_PERCENT = 25;
  private static final int DEEPEST = 5;
  private static final String[] WORDS = {"a", "q1", "report", "default", "x-1", "z.z", "payments"};
  private static final String[] DURATIONS = {"PT0S", "PT1S", "PT90S", "PT1H", "P1D", "P10D"};
  private static final String[] INSTANTS = {
    "2026-01-31T08:00:00Z", "2099-12-31T23:59:59.999999Z", "2031-02-28T10:00:00+03:00"
  };
  private static final String[] TEXTS = {"why", "Ünïcödé 😀", "2 + 2 = 4", "a b", "-"};

  /** JSON texts that hardly a field takes. */
  static final String[] HOSTILE = {
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "1e999",
    "-0.0",
    "99999999999999999999",
    "2147483648",
    "\"\"",
    "\" \"",
    "\"\\u0000\"",
    "\"\\u007f\"",
    "\"\\ud800\"",
    "\"\\u202e\"",
    "\"<script>alert(1)</script>\"",
    "\"'; drop table ebb.job; --\"",
    "\"../../etc/passwd\"",
    "\"%00%ff\"",
    "\"PT-1S\"",
    "\"P99999999999D\"",
    "\"0000-01-01T00:00:00Z\"",
    "\"9999-12-31T23:59:59.9999999Z\"",
    "\"infinity\"",
    "\"0 0 30 2 *\"",
    "\"* * * * * * * *\"",
    "\"Mars/Olympus\"",
    "\"--02-30\"",
    "[]",
    "{}",
    "[[[[[[]]]]]]",
    "[null]",
    "{\"\":null}",
    "{\"a\":{\"b\":{}}}"
  };

  private final Schemas schemas;
  private final SplittableRandom random;

  SchemaValues(Schemas schemas, SplittableRandom random) {
    this.schemas = schemas;
    this.random = random;
  }

  /** A value that the schema allows. Rules in words, such as "excludes delay", it may break. */
  JsonNode valid(JsonNode described) {
    JsonNode schema = schemas.resolve(described);
    if (schema.has("allOf")) {
      return valid(schema.path("allOf").path(0));
    }
    if (schema.has("oneOf")) {
      return valid(schema.path("oneOf").path(random.nextInt(schema.path("oneOf").size())));
    }
    if (schema.has("enum")) {
      return schema.path("enum").path(random.nextInt(schema.path("enum").size()));
    }
    return switch (type(schema)) {
      case "string" -> JSON.stringNode(text(schema));
      case "integer" -> JSON.numberNode(between(schema, 0, 1000));
      case "number" -> JSON.numberNode(number(schema));
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "array" -> array(schema);
      case "object" -> object(schema);
      case "null" -> JSON.nullNode();
      default -> hostile();
    };
  }

  /** A value of the schema with a wrong, a missing or a strange member somewhere. */
  JsonNode broken(JsonNode described) {
    JsonNode value = valid(described);
    if (!(value instanceof ObjectNode object) || random.nextInt(10) == 0) {
      return hostile();
    }
    String[] names = object.propertyNames().toArray(String[]::new);
    if (names.length == 0 || random.nextInt(6) == 0) {
      return object.set(pick("nonsense", "", "Kind", "id", "__proto__"), hostile());
    }
    String name = names[random.nextInt(names.length)];
    if (random.nextInt(4) == 0) {
      object.remove(name);
    } else {
      JsonNode member = object.path(name);
      object.set(name, member.isObject() && random.nextBoolean() ? twisted(member) : hostile());
    }
    return object;
  }

  private JsonNode twisted(JsonNode object) {
    ObjectNode twisted = object.deepCopy().asObject();
    twisted.set(pick("base", "url", "jitter", "nonsense", "cap"), hostile());
    return twisted;
  }

  /** The fields of all objects of a schema, as paths, in which an item of an array is 0. */
  List<List<String>> fields(JsonNode described) {
    List<List<String>> fields = new ArrayList<>();
    addFields(described, List.of(), fields);
    return fields;
  }

  private void addFields(JsonNode described, List<String> at, List<List<String>> fields) {
    if (at.size() > DEEPEST) {
      return;
    }
    JsonNode schema = schemas.resolve(described);
    schema.path("allOf").forEach(one -> addFields(one, at, fields));
    schema.path("oneOf").forEach(one -> addFields(one, at, fields));
    if (schema.has("items")) {
      addFields(schema.path("items"), with(at, "0"), fields);
    }
    for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
      fields.add(with(at, field.getKey()));
      addFields(field.getValue(), with(at, field.getKey()), fields);
    }
  }

  private static List<String> with(List<String> path, String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }

  /** A value of the schema that has the field, which is broken or not. */
  JsonNode withField(JsonNode described, List<String> field, boolean isBroken) {
    if (field.isEmpty()) {
      return isBroken ? hostile() : valid(described);
    }
    JsonNode schema = alternative(described, field.getFirst());
    List<String> below = field.subList(1, field.size());
    if (schema.has("items")) {
      return JSON.arrayNode().add(withField(schema.path("items"), below, isBroken));
    }
    JsonNode member = schema.path("properties").path(field.getFirst());
    return object(schema).set(field.getFirst(), withField(member, below, isBroken));
  }

  /** The part of a schema that has the field. */
  private JsonNode alternative(JsonNode described, String field) {
    JsonNode schema = schemas.resolve(described);
    return Stream.concat(schema.path("allOf").valueStream(), schema.path("oneOf").valueStream())
        .map(one -> alternative(one, field))
        .filter(one -> one.has("items") || one.path("properties").has(field))
        .findFirst()
        .orElse(schema);
  }

  JsonNode hostile() {
    return JsonMapper.shared().readTree(pick(HOSTILE));
  }

  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray() ? type.path(0).asString() : type.asString("");
  }

  private String text(JsonNode schema) {
    return switch (schema.path("format").asString("")) {
      case "date" -> pick("2027-02-08", "2028-02-29");
      case "date-time" -> pick(INSTANTS);
      case "uuid" -> ApiServer.UNKNOWN_ID;
      case "uri" -> "https://merchant.example/notify";
      default -> matching(schema.path("pattern").asString(""));
    };
  }

  private String matching(String pattern) {
    if (pattern.startsWith("^P")) {
      return pick(DURATIONS);
    }
    return pattern.isEmpty() && random.nextBoolean() ? pick(TEXTS) : pick(WORDS);
  }

  private long between(JsonNode schema, long least, long most) {
    long from = schema.path("minimum").asLong(least);
    long to = schema.path("maximum").asLong(most);
    return switch (random.nextInt(4)) {
      case 0 -> from;
      case 1 -> to;
      default -> random.nextLong(from, to + 1);
    };
  }

  private double number(JsonNode schema) {
    double from = schema.path("minimum").asDouble(1);
    double to = schema.path("maximum").asDouble(100);
    return random.nextInt(4) == 0 ? from : random.nextDouble(from, to);
  }

  private ArrayNode array(JsonNode schema) {
    ArrayNode array = JSON.arrayNode();
    int least = schema.path("minItems").asInt(0);
    for (int n = random.nextInt(least, least + 4); n > 0; n--) {
      array.add(valid(schema.path("items")));
    }
    return array;
  }

  private ObjectNode object(JsonNode schema) {
    ObjectNode object = JSON.objectNode();
    var required = schema.path("required").valueStream().map(JsonNode::asString).toList();
    schema
        .path("properties")
        .properties()
        .forEach(member -> {
          if (required.contains(member.getKey()) || random.nextInt(100) < OPTIONAL_PERCENT) {
            object.set(member.getKey(), valid(member.getValue()));
          }
        });
    JsonNode others = schema.path("additionalProperties");
    if (others.isObject()) {
      String names = schema.at("/propertyNames/pattern").asString("");
      object.set(names.startsWith("^[0-9]") ? "3" : pick(WORDS), valid(others));
    }
    return object;
  }

  @SafeVarargs
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
