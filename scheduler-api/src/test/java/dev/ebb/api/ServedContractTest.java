package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.ExampleVariants.Variant;
import dev.ebb.api.FuzzedRequests.Operation;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The server is no stricter than its contract. */
class ServedContractTest {
  /** What the contract says in words alone: an example needs the field beside its others. */
  private static final Set<String> NEEDED =
      Set.of(
          "/role",
          "/scopes",
          "/cron",
          "/every",
          // Or a certificate and its key.
          "/trust",
          "/filter",
          // Of a failure.
          "/results/0/reason",
          // Without it no job of the batch may break a rule.
          "/atomic",
          "/policy/jitter",
          "/policy/base",
          "/policy/cap",
          "/policy/steps");

  private static ApiServer api;
  private static Schemas schemas;
  private static List<Operation> operations;
  private static int made;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
    JsonNode contract = api.get("/v1/openapi.json").json();
    schemas = new Schemas(contract);
    operations = new FuzzedRequests(contract, 1).operations();
    // The polls of a worker that has stopped do not wait.
    JsonNode poll = schemas.named("Poll").path("examples").path(0);
    assertThat(api.post("/v1/leases", poll.toString()).status()).isEqualTo(204);
    String stop = "{\"worker\":" + poll.path("worker") + "}";
    assertThat(api.post("/v1/leases/stop", stop).status()).isEqualTo(204);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void an_optional_field_may_be_left_out_null_an_empty_list_or_its_default() throws SQLException {
    List<String> refused = new ArrayList<>();
    Set<String> needed = new TreeSet<>();
    int fields = 0;
    for (Operation operation : operations) {
      for (Map.Entry<String, JsonNode> content : contents(operation)) {
        JsonNode schema = content.getValue().path("schema");
        for (JsonNode example : schemas.examples(content.getValue())) {
          for (Variant variant : ExampleVariants.of(schemas, schema, example)) {
            fields++;
            ask(operation, content.getKey(), variant, refused, needed);
          }
        }
      }
    }

    assertThat(refused).isEmpty();
    assertThat(needed).isEqualTo(new TreeSet<>(NEEDED));
    assertThat(fields).isGreaterThan(200);
  }

  private void ask(
      Operation operation, String type, Variant variant, List<String> refused, Set<String> needed)
      throws SQLException {
    Reply without = send(operation, type, variant.without().toString());
    if (without.status() == 400 && variant.isInExample()) {
      needed.add(variant.pointer());
    } else if (without.status() >= 300) {
      refused.add(operation.id() + " " + variant.without() + " " + without.body());
    }
    for (JsonNode body : variant.unsaid()) {
      Reply reply = send(operation, type, body.toString());
      if (reply.status() != without.status() && !(reply.status() < 300 && without.status() < 300)) {
        refused.add(operation.id() + " " + body + " " + reply.body());
      }
    }
  }

  @Test
  void what_is_null_has_its_default() {
    Reply job =
        api.post(
            "/v1/jobs",
            """
            {"kind": "report", "payload": null, "queue": null, "runAt": null, "delay": null,
            "priority": null, "maxAttempts": null, "policy": null, "uniqueKey": null,
            "onDuplicate": null, "timeout": null, "labels": null}
            """);

    assertThat(job.status()).as(job.body()).isEqualTo(201);
    assertThat(job.body())
        .contains(
            "\"queue\":\"default\"", "\"priority\":5", "\"maxAttempts\":16", "\"payload\":null");
    assertThat(job.json().path("labels").isEmpty()).isTrue();
  }

  @Test
  void an_optional_body_may_be_left_out_null_or_an_empty_object() throws SQLException {
    int bodies = 0;
    for (Operation operation : operations) {
      JsonNode body = schemas.resolve(operation.described().path("requestBody"));
      if (body.has("content") && !body.path("required").asBoolean()) {
        bodies++;
        for (String text : List.of("", "null", " null ", "{}")) {
          Reply reply = send(operation, "application/json", text);
          assertThat(reply.status())
              .as("%s %s %s", operation.id(), text, reply.body())
              .isLessThan(300);
        }
      }
    }
    assertThat(bodies).isGreaterThan(15);
  }

  @Test
  void a_parameter_may_be_given_as_its_default() {
    int defaults = 0;
    for (Operation operation : operations) {
      for (JsonNode described : operation.described().path("parameters")) {
        JsonNode parameter = schemas.resolve(described);
        JsonNode value = parameter.path("schema").path("default");
        if (!value.isMissingNode()) {
          defaults++;
          String name = parameter.path("name").asString();
          String path = operation.path().replaceAll("[{][^}]*[}]", ApiServer.UNKNOWN_ID);
          Reply reply =
              api.send(
                  api.request(path + "?" + name + "=" + value.asString())
                      .method(operation.method(), BodyPublishers.noBody()));
          assertThat(reply.firstPointer()).as(operation.id() + reply.body()).isNotEqualTo(name);
        }
      }
    }
    assertThat(defaults).isGreaterThan(15);
  }

  @Test
  void what_has_no_content_is_answered_whatever_the_client_accepts() throws SQLException {
    int without = 0;
    for (Operation operation : operations) {
      if (operation.described().path("responses").has("204")) {
        without++;
        for (String accepted : List.of("application/problem+json", "text/html", "nonsense")) {
          Map.Entry<String, JsonNode> content = contents(operation).iterator().next();
          JsonNode body = schemas.examples(content.getValue()).getFirst();
          HttpRequest.Builder request = request(operation, content.getKey(), body.toString());
          assertThat(api.send(request.header("Accept", accepted)).status())
              .as(operation.id() + " " + accepted)
              .isEqualTo(204);
        }
      }
    }
    assertThat(without).isEqualTo(12);
  }

  private static Set<Map.Entry<String, JsonNode>> contents(Operation operation) {
    return schemas.resolve(operation.described().path("requestBody")).path("content").properties();
  }

  private static Reply send(Operation operation, String type, String body) throws SQLException {
    return answered(() -> api.send(request(operation, type, body)));
  }

  private static Reply put(String path, String body) throws SQLException {
    return answered(() -> api.put(path, body));
  }

  private static Reply post(String path, String body) throws SQLException {
    return answered(() -> api.post(path, body));
  }

  private static Reply post(String path) throws SQLException {
    return answered(() -> api.post(path));
  }

  @FunctionalInterface
  private interface Request {
    Reply send() throws SQLException;
  }

  /** On a busy machine the server may end a transaction that pauses: a client asks again. */
  private static Reply answered(Request request) throws SQLException {
    Reply reply = request.send();
    for (int tries = 0; reply.status() == 503 && tries < 5; tries++) {
      reply = request.send();
    }
    return reply;
  }

  private static HttpRequest.Builder request(Operation operation, String type, String body)
      throws SQLException {
    HttpRequest.Builder request =
        api.request(prepared(operation))
            .header("Content-Type", type)
            .method(operation.method(), BodyPublishers.ofString(body));
    boolean isMatched =
        operation
            .described()
            .path("parameters")
            .valueStream()
            .map(schemas::resolve)
            .anyMatch(one -> one.path("name").asString().equals("If-Match"));
    return isMatched && !operation.method().equals("PUT")
        ? request.header("If-Match", "*")
        : request;
  }

  /** The path, at which there is what the operation acts on. */
  private static String prepared(Operation operation) throws SQLException {
    String path = operation.path();
    String name = "n" + made++;
    return switch (operation.id()) {
      case "createToken" -> {
        api.execute("delete from ebb.token");
        yield path;
      }
      case "revokeToken" -> path.replace("{id}", token(name));
      case "patchJob", "cancelJob", "retryJob", "holdJob", "noteJob", "cloneJob" ->
          path.replace("{id}", submit());
      case "createJobLink", "revokeJobLink" -> linked(path, submit());
      case "skipJob" -> path.replace("{id}", inOrder());
      case "releaseJob" -> path.replace("{id}", after(submit(), "hold"));
      case "erasePayload" -> path.replace("{id}", after(submit(), "cancel"));
      case "redriveJob" -> path.replace("{id}", dead());
      case "pauseOperation", "resumeOperation", "cancelOperation" ->
          path.replace("{id}", operation());
      case "patchErrorGroup" -> path.replace("{id}", group());
      case "drainNode", "undrainNode" -> path.replace("{id}", node(name));
      case "resumeQueue", "deleteQueue", "warmUpQueue" -> {
        put("/v1/queues/" + name, LIMITED);
        yield path.replace("{queue}", name);
      }
      case "testDestination", "probeDestination", "enableDestination" -> destination(path, name);
      case "recoverDestination", "previewRecovery" -> destination(path, name);
      case "patchDestination", "deleteDestination" -> destination(path, name);
      case "addSigningKey", "deleteSigningKey", "shareSigningKey" -> destination(path, name);
      case "putDestinationTls", "deleteDestinationTls" -> destination(path, name);
      case "purgeQueue" -> path.replace("{queue}", "payments");
      case "deletePolicy" -> {
        put("/v1/policies/" + name, "{\"policy\":\"svix\"}");
        yield path.replace("{policy}", name);
      }
      case "deleteKind" -> {
        put("/v1/kinds/" + name, "{\"labelsFrom\":{\"order\":\"/order\"}}");
        yield path.replace("{kind}", name);
      }
      case "deleteSchedule", "pauseSchedule", "resumeSchedule", "runSchedule" -> {
        put("/v1/schedules/" + name, SCHEDULE);
        yield path.replace("{schedule}", name);
      }
      default ->
          path.replace("{queue}", name)
              .replace("{destination}", name)
              .replace("{kind}", name)
              .replace("{policy}", name)
              .replace("{schedule}", name);
    };
  }

  private static String destination(String path, String name) throws SQLException {
    put("/v1/destinations/" + name, "{\"url\":\"https://merchant.example/\"}");
    String keys = "/v1/destinations/" + name + "/keys";
    String key = path.contains("{key}") ? post(keys, "{}").field("id") : "";
    return path.replace("{destination}", name).replace("{key}", key);
  }

  private static final String LIMITED =
      "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}";

  private static final String SCHEDULE =
      "{\"cron\":\"0 9 * * *\",\"job\":{\"kind\":\"report\",\"payload\":1}}";

  private static String submit() throws SQLException {
    return post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").field("id");
  }

  private static String linked(String path, String job) throws SQLException {
    String link = post("/v1/jobs/" + job + "/links", "{}").field("id");
    return path.replace("{id}", job).replace("{link}", link);
  }

  private static String inOrder() throws SQLException {
    return post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1,\"orderingKey\":\"shop\"}")
        .field("id");
  }

  private static String after(String job, String verb) throws SQLException {
    return post("/v1/jobs/" + job + "/" + verb).field("id");
  }

  private static String token(String name) throws SQLException {
    return post("/v1/tokens", "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(name)).field("id");
  }

  private static String operation() throws SQLException {
    return post("/v1/operations", "{\"action\":\"hold\",\"filter\":{\"key\":\"none\"}}")
        .field("id");
  }

  private static String node(String name) throws SQLException {
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('%s', '1', '0', '{}', '{a}', 1)
        """
            .formatted(name));
    return name;
  }

  private static String dead() throws SQLException {
    return api.text(
        """
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, version, attempt, max_attempts, priority, queue, kind, payload)
        values (uuidv7(), 'r', 'http_500', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'a', '1')
        returning id
        """);
  }

  private static String group() throws SQLException {
    dead();
    api.grouped();
    return api.get("/v1/dead-letters/groups").json().at("/items/0/id").asString();
  }
}
