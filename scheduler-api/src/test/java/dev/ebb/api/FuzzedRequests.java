package dev.ebb.api;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/** Requests of all operations of a contract, valid and broken in each of their parts, by a seed. */
final class FuzzedRequests {
  private static final int MOST_IDS = 40;
  private static final String[] STRANGE = {
    "",
    " ",
    "-1",
    "0",
    "1.5",
    "99999999999999999999",
    "null",
    "%",
    "é",
    "a b",
    "\t",
    "*",
    "\"",
    "'; drop table ebb.job; --",
    "<script>",
    "infinity",
    "2026-02-30T00:00:00Z",
    "0 0 30 2 *",
    "x".repeat(2000)
  };
  private static final String[] QUERIES = {
    "state:dead",
    "queue:q1 kind:a",
    "label:a=b",
    "attempts>3 age>10m",
    "-error:\"timed out\"",
    "created>=2026-01-31",
    "report",
    "state:due,retrying -label:a=b",
    "age>x",
    "\"",
    "state:nonsense"
  };
  private static final String[] MEDIA_TYPES = {
    "text/plain", "application/xml", "application/json;charset=utf-16", "nonsense", "*/*"
  };

  private final Schemas schemas;
  private final SplittableRandom random;
  private final SchemaValues values;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, List<String>> known = new HashMap<>();

  FuzzedRequests(JsonNode contract, long seed) {
    this.schemas = new Schemas(contract);
    this.random = new SplittableRandom(seed);
    this.values = new SchemaValues(schemas, random);
    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        String method = verb.getKey().toUpperCase(Locale.ROOT);
        operations.add(new Operation(method, path.getKey(), verb.getValue()));
      }
    }
  }

  /** An operation of the contract. */
  record Operation(String method, String path, JsonNode described) {
    String id() {
      return described.path("operationId").asString();
    }

    /** What a token must have; empty where any will do, or none is asked for. */
    List<String> scopes() {
      return described
          .path("security")
          .path(0)
          .path("token")
          .valueStream()
          .map(JsonNode::asString)
          .toList();
    }

    /** The first segment of its path behind the version. */
    String collection() {
      return path.split("/", -1)[path.startsWith("/v1/") ? 2 : 1];
    }
  }

  /**
   * A request to be sent.
   *
   * @param isPathKept whether the path is one that the contract has
   */
  record Fuzzed(
      Operation operation,
      String path,
      Map<String, String> headers,
      String body,
      boolean isPathKept) {
    HttpRequest.Builder on(ApiServer api) {
      HttpRequest.Builder request = api.request(path);
      headers.forEach(request::header);
      return request.method(operation.method(), BodyPublishers.ofString(body));
    }

    @Override
    public String toString() {
      return "%s %s %s %s".formatted(operation.method(), path, headers, body);
    }
  }

  List<Operation> operations() {
    return operations;
  }

  /** Knows no ids any more. */
  void forget() {
    known.clear();
  }

  /** Takes the ids and names of an answer for the paths of later requests. */
  void learn(Operation operation, JsonNode answer) {
    List<String> ids = known.computeIfAbsent(operation.collection(), _ -> new ArrayList<>());
    learn(ids, answer);
    answer.path("items").forEach(item -> learn(ids, item));
    while (ids.size() > MOST_IDS) {
      ids.removeFirst();
    }
  }

  private static void learn(List<String> ids, JsonNode resource) {
    String name = resource.path("name").asString("");
    String id = resource.path("id").asString(name);
    if (!id.isEmpty() && !name.startsWith(FuzzedCallers.KEPT)) {
      ids.add(id);
    }
  }

  Fuzzed next() {
    Operation operation = operations.get(random.nextInt(operations.size()));
    // One part of a broken request is broken: two refusals would hide one another.
    return next(operation, random.nextBoolean() ? random.nextInt(4) : -1);
  }

  /** A request with nothing broken; what it asks for may still not be there. */
  Fuzzed valid(Operation operation) {
    return next(operation, -1);
  }

  /** The fields of its body, as paths. */
  List<List<String>> fields(Operation operation) {
    return content(operation)
        .map(one -> values.fields(one.getValue().path("schema")))
        .orElse(List.of());
  }

  /** A request whose body has the field, which alone is broken, or nothing is. */
  Fuzzed withField(Operation operation, List<String> field, boolean isBroken) {
    Map.Entry<String, JsonNode> described = content(operation).orElseThrow();
    Map<String, String> headers = new HashMap<>(Map.of("Content-Type", described.getKey()));
    JsonNode body = values.withField(described.getValue().path("schema"), field, isBroken);
    return new Fuzzed(operation, path(operation, false), headers, body.toString(), true);
  }

  private Optional<Map.Entry<String, JsonNode>> content(Operation operation) {
    return schemas
        .resolve(operation.described().path("requestBody"))
        .path("content")
        .properties()
        .stream()
        .findFirst();
  }

  private Fuzzed next(Operation operation, int part) {
    StringBuilder query = new StringBuilder();
    Map<String, String> headers = new HashMap<>();
    String path = path(operation, part == 0);
    for (JsonNode parameter : operation.described().path("parameters")) {
      add(schemas.resolve(parameter), part == 1, query, headers);
    }
    String body = body(operation, part == 2, headers);
    if (part == 3) {
      headers.put(values.pick("Accept", "Content-Type", "X-Nonsense"), values.pick(MEDIA_TYPES));
    }
    return new Fuzzed(operation, path + query, headers, body, part != 0);
  }

  private String path(Operation operation, boolean isBroken) {
    StringBuilder path = new StringBuilder();
    for (String segment : operation.path().substring(1).split("/", -1)) {
      boolean isVariable = segment.startsWith("{");
      String value =
          segment.equals("{n}") && !isBroken
              ? values.pick("1", "1", "2")
              : variable(operation, isBroken);
      path.append('/').append(isVariable ? encoded(value) : segment);
    }
    return path.toString();
  }

  private String variable(Operation operation, boolean isBroken) {
    if (isBroken) {
      return values.pick(STRANGE);
    }
    List<String> ids = known.getOrDefault(operation.collection(), List.of());
    return ids.isEmpty() || random.nextInt(10) == 0
        ? values.pick(ApiServer.UNKNOWN_ID, "q1", "default")
        : ids.get(random.nextInt(ids.size()));
  }

  private void add(
      JsonNode parameter, boolean isBroken, StringBuilder query, Map<String, String> headers) {
    String name = parameter.path("name").asString();
    String in = parameter.path("in").asString();
    boolean isMatch = name.equals("If-Match");
    if (in.equals("path") || random.nextInt(100) >= (isMatch ? 70 : 20)) {
      return;
    }
    String value = isBroken ? values.pick(STRANGE) : value(name, parameter.path("schema"));
    if (in.equals("query")) {
      query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value));
    } else if (value.chars().allMatch(c -> c >= ' ' && c < 127)) {
      headers.put(name, value);
    }
  }

  private String value(String name, JsonNode schema) {
    return switch (name) {
      case "q" -> values.pick(QUERIES);
      case "label" -> values.pick("a=b", "a:b", "merchant=acme");
      case "wait" -> values.pick("PT0S", "PT0.01S", "1ms");
      case "If-Match", "If-None-Match" -> values.pick("*", "\"abc\"", "W/\"abc\"", "\"a\", \"b\"");
      default -> values.valid(schema.has("items") ? schema.path("items") : schema).asString();
    };
  }

  private String body(Operation operation, boolean isBroken, Map<String, String> headers) {
    Map.Entry<String, JsonNode> described = content(operation).orElse(null);
    if (described == null) {
      return isBroken && random.nextBoolean() ? values.pick(SchemaValues.HOSTILE) : "";
    }
    headers.put("Content-Type", described.getKey());
    String valid = example(described.getValue()).toString();
    if (!isBroken) {
      return valid;
    }
    return random.nextInt(4) == 0
        ? valid.substring(0, random.nextInt(valid.length())) + values.pick("", "}", "\0", "é")
        : values.broken(described.getValue().path("schema")).toString();
  }

  private JsonNode example(JsonNode described) {
    List<JsonNode> examples = schemas.examples(described);
    return examples.isEmpty() || random.nextBoolean()
        ? values.valid(described.path("schema"))
        : examples.get(random.nextInt(examples.size()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
