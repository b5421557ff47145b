package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.settle.FinishedAttempt;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Who did what, over REST. */
class AuditTest {
  private static final Set<String> CHANGING =
      Set.of("jobs:operate", "queues:admin", "tokens:admin");
  private static final String ADMIN = "an-admin's-token-of-32-characters";

  private static final String TIMED_OUT =
      """
      insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
        created_at, version, attempt, max_attempts, priority, queue, kind, payload)
      select uuidv7(), 'r', 'timeout', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'payments', 'a',
        '{}'
      """;

  private static ApiServer api;
  private static int made;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  /** An operation of the contract that changes something. */
  private record Operation(String id, String method, String path, JsonNode described) {
    String mediaType() {
      var content = described.at("/requestBody/content").propertyNames();
      return content.isEmpty() ? "application/json" : content.iterator().next();
    }
  }

  private static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    JsonNode contract = api.get("/v1/openapi.json").json();
    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        JsonNode described = verb.getValue();
        boolean changes =
            described
                .at("/security/0/token")
                .valueStream()
                .map(JsonNode::asString)
                .anyMatch(CHANGING::contains);
        // A note is its own reason, and a preview changes nothing.
        boolean isOther = path.getKey().matches(".*/(notes|preview)");
        if (changes && !isOther && !verb.getKey().equals("get")) {
          operations.add(
              new Operation(
                  described.path("operationId").asString(),
                  verb.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  described));
        }
      }
    }
    return operations;
  }

  @Test
  void every_operation_that_changes_something_has_an_entry_with_its_reason() throws SQLException {
    List<Operation> operations = operations();
    for (Operation operation : operations) {
      String path = path(operation);
      prepare(operation, path);
      long before = entries();
      ObjectNode body = body(operation, path);
      body.put("reason", "for " + operation.id());

      Reply reply = send(operation, path, body.toString());

      assertThat(reply.status()).as(operation + reply.body()).isBetween(200, 204);
      assertThat(entries()).as(operation.toString()).isEqualTo(before + 1);
      JsonNode entry = api.get("/v1/audit?limit=1").json().at("/items/0");
      assertThat(entry.path("reason").asString()).isEqualTo("for " + operation.id());
      assertThat(entry.path("actor").asString()).isEqualTo("anybody");
      assertThat(entry.path("address").asString()).isEqualTo("127.0.0.1");
      assertThat(entry.path("affected").asLong()).isPositive();
      assertThat(path + reply.header("location")).contains(entry.path("subject").asString());
    }
    assertThat(operations).hasSizeGreaterThan(8);
  }

  private static long entries() {
    return api.number("select count(*) from ebb.audit");
  }

  private static Reply send(Operation operation, String path, String body) {
    var request = api.request(path).header("Content-Type", operation.mediaType());
    if (operation.method().equals("PATCH")) {
      request.header("If-Match", api.get(path).header("etag"));
    }
    return api.send(request.method(operation.method(), BodyPublishers.ofString(body)));
  }

  /** Brings what the path leads to into a state that the operation can change. */
  private static void prepare(Operation operation, String path) throws SQLException {
    String parent = path.substring(0, path.lastIndexOf('/'));
    switch (operation.id()) {
      case "redriveJob" -> kill();
      case "skipJob" ->
          api.execute("update ebb.job set ordering_key = 'shop', ordering_number = 1");
      case "resumeStart" ->
          api.execute("insert into ebb.start (paused_since, paused_by) values (now(), 'x')");
      case "startOperation" -> api.execute(TIMED_OUT);
      case "recoverDestination" -> api.execute(TIMED_OUT.replace("payments", name(path)));
      case "resumeOperation" -> api.post(parent + "/pause");
      case "cancelOperation" -> api.execute("update ebb.operation set done = 1");
      case "resumeSchedule" -> api.post(parent + "/pause");
      case "releaseJob" -> api.post(parent + "/hold");
      case "erasePayload" -> api.post(parent + "/cancel");
      case "deletePolicy" -> api.put(path, "{\"policy\":\"svix\"}");
      case "deleteKind" -> api.put(path, "{\"labelsFrom\":{\"order\":\"/order\"}}");
      case "purgeQueue" ->
          api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + name(path) + "\"}");
      default -> {}
    }
  }

  /** The name in the middle of a path of an action. */
  private static String name(String path) {
    return path.split("/", -1)[3];
  }

  /** The path to something that is there for the operation to change. */
  private static String path(Operation operation) {
    String path = operation.path();
    if (path.startsWith("/v1/jobs/{id}")) {
      String job = submit();
      String link =
          path.contains("{link}") ? api.post("/v1/jobs/" + job + "/links", "{}").field("id") : "";
      return path.replace("{id}", job).replace("{link}", link);
    }
    if (path.startsWith("/v1/tokens/{id}")) {
      String token = "{\"name\":\"t%s\",\"role\":\"viewer\"}".formatted(++made);
      return path.replace("{id}", api.post("/v1/tokens", token).field("id"));
    }
    if (path.startsWith("/v1/operations/{id}")) {
      String retry = "{\"action\":\"retry\",\"filter\":{\"queue\":[\"none\"]}}";
      return path.replace("{id}", api.post("/v1/operations", retry).field("id"));
    }
    if (path.startsWith("/v1/nodes/{id}")) {
      return path.replace("{id}", node());
    }
    if (path.startsWith("/v1/dead-letters/groups/{id}")) {
      return path.replace("{id}", group());
    }
    String queue = "q" + ++made;
    if (path.contains("{queue}") && !operation.method().equals("PUT")) {
      api.put(
          "/v1/queues/" + queue,
          "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}");
    }
    if (path.contains("{destination}") && !operation.id().equals("putDestination")) {
      api.put("/v1/destinations/d" + made, "{\"url\":\"https://merchant.example/\"}");
    }
    if (path.endsWith("/probe") || path.endsWith("/enable")) {
      open("d" + made);
    }
    String key = "";
    if (path.contains("{key}")) {
      key = api.post("/v1/destinations/d" + made + "/keys", "{}").field("id");
    }
    if (path.contains("{schedule}") && !operation.method().equals("PUT")) {
      api.put(
          "/v1/schedules/s" + made,
          "{\"cron\":\"0 9 * * *\",\"job\":{\"kind\":\"a\",\"payload\":1}}");
    }
    return path.replace("{queue}", queue)
        .replace("{destination}", "d" + made)
        .replace("{key}", key)
        .replace("{kind}", "k" + made)
        .replace("{policy}", "p" + made)
        .replace("{schedule}", "s" + made);
  }

  private static String node() {
    String node = "n" + ++made;
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('%s', '1', '0', '{}', '{a}', 1)
        """
            .formatted(node));
    return node;
  }

  /** Opens the circuit of a destination. */
  private static void open(String destination) {
    Ballot bad = new Ballot(0, 0, 20, 0, 0, Set.of(), "http_503");
    try {
      var _ = new Circuits(api.database()).tell(destination, bad, Duration.ZERO, 0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String submit() {
    return api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"killing\"}").field("id");
  }

  /** The id of a group that is there, maybe without dead letters. */
  private static String group() {
    String group = UUID.randomUUID().toString();
    api.execute(
        """
        insert into ebb.error_group (id, queue, kind, reason, pattern, first_seen, last_seen)
        values ('%s', 'q', 'a', 'http_500', 'no', now(), now())
        """
            .formatted(group));
    return group;
  }

  /** Makes dead letters of the jobs that are there. */
  private static void kill() throws SQLException {
    ClaimRequest request =
        ClaimRequest.of("killing", "n", List.of("a"), 100, Duration.ofSeconds(15));
    Failure failure = new Failure("http_500", "no");
    for (ClaimedJob job : api.queue().claim(request).orElseThrow().jobs()) {
      FinishedAttempt dead =
          new FinishedAttempt(
              job,
              new Outcome.Failed(failure),
              new Settlement.DeadLetter("max_attempts", failure),
              "n",
              System.nanoTime(),
              Duration.ZERO,
              null);
      assertThat(api.queue().settle(List.of(dead), List.of())).isEmpty();
    }
  }

  private static ObjectNode body(Operation operation, String path) {
    JsonNode examples =
        operation
            .described()
            .at("/requestBody/content")
            .path(operation.mediaType())
            .path("examples");
    ObjectNode body =
        examples.isEmpty()
            ? JsonMapper.shared().createObjectNode()
            : (ObjectNode) examples.iterator().next().path("value").deepCopy();
    return operation.id().equals("purgeQueue") ? body.put("confirm", name(path)) : body;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"reason\":\"\"} | /reason",
        "{\"reason\":\" \"} | /reason",
        "{\"reason\":1} | /reason",
        "{\"reason\":\"a\\u0000b\"} | /reason",
        "{\"why\":\"x\"} | /why",
      })
  void an_action_with_a_bad_reason_is_refused_and_not_done(String body, String pointer) {
    String job = "/v1/jobs/" + submit();
    long before = entries();

    Reply reply = api.post(job + "/cancel", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isIn(pointer, "");
    assertThat(api.get(job).field("state")).isEqualTo("available");
    assertThat(entries()).isEqualTo(before);
  }

  @Test
  void what_was_done_to_a_job_is_shown_after_the_job_is_gone() {
    String id = submit();
    String path = "/v1/jobs/" + id + "/audit";
    assertThat(api.get(path).body()).isEqualTo("{\"items\":[]}");
    api.post("/v1/jobs/" + id + "/retry");
    api.post("/v1/jobs/" + id + "/cancel", "{\"reason\":\"sent twice\"}");
    // A queue may bear the name of a job.
    api.post("/v1/queues/" + id + "/pause");
    api.execute("delete from ebb.history where id = '" + id + "'");

    JsonNode first = api.get(path + "?limit=1").json();
    JsonNode second =
        api.get(path + "?limit=1&cursor=" + first.path("nextCursor").asString()).json();

    assertThat(first.at("/items/0/action").asString()).isEqualTo("job.cancel");
    assertThat(first.at("/items/0/reason").asString()).isEqualTo("sent twice");
    assertThat(second.at("/items/0/action").asString()).isEqualTo("job.retry");
    assertThat(second.at("/items/0").has("reason")).isFalse();
    assertThat(api.get("/v1/audit?action=queue&subject=" + id).json().path("items").size()).isOne();
    assertThat(api.get("/v1/jobs/" + ApiServer.UNKNOWN_ID + "/audit").status()).isEqualTo(404);
  }

  @Test
  void who_may_read_jobs_sees_who_acted_on_one_and_why_but_not_from_where() {
    AccessConfig access = AccessConfig.of(ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(TestPostgres.shared().newDatabase(), access)) {
      String viewer =
          closed
              .postAs(ADMIN, "/v1/tokens", "{\"name\":\"eve\",\"role\":\"viewer\"}")
              .field("token");
      String job = closed.postAs(ADMIN, "/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");
      closed.postAs(ADMIN, "/v1/jobs/" + job + "/cancel", "{\"reason\":\"sent twice\"}");

      JsonNode seen = entry(closed, viewer, job);
      assertThat(seen.path("actor").asString()).isEqualTo("EBB_ADMIN_TOKEN");
      assertThat(seen.path("reason").asString()).isEqualTo("sent twice");
      assertThat(seen.has("address")).isFalse();
      assertThat(seen.has("tokenId")).isFalse();
      assertThat(entry(closed, ADMIN, job).has("address")).isTrue();
      assertThat(get(closed, viewer, "/v1/audit").status()).isEqualTo(403);
    }
  }

  private static JsonNode entry(ApiServer server, String token, String job) {
    return get(server, token, "/v1/jobs/" + job + "/audit").json().at("/items/0");
  }

  private static Reply get(ApiServer server, String token, String path) {
    return server.send(server.request(path).header("Authorization", "Bearer " + token).GET());
  }

  @ParameterizedTest
  @CsvSource({
    "from=yesterday, from",
    "to=2026-01-31, to",
    "limit=0, limit",
    "limit=201, limit",
    "cursor=1, -",
    "state=available, state",
  })
  void a_bad_parameter_is_refused_by_name(String query, String parameter) {
    Reply reply = api.get("/v1/audit?" + query);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(parameter);
  }

  @Test
  void an_entry_names_the_token_and_a_request_that_is_refused_has_none() {
    AccessConfig access = AccessConfig.of(ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(TestPostgres.shared().newDatabase(), access)) {
      Reply ada = closed.postAs(ADMIN, "/v1/tokens", "{\"name\":\"ada\",\"role\":\"operator\"}");
      Reply eve = closed.postAs(ADMIN, "/v1/tokens", "{\"name\":\"eve\",\"role\":\"viewer\"}");

      closed.postAs(ada.field("token"), "/v1/queues/q/pause", "");
      Reply refused = closed.postAs(eve.field("token"), "/v1/queues/q/resume", "");

      assertThat(refused.status()).isEqualTo(403);
      JsonNode audit =
          closed
              .send(closed.request("/v1/audit").header("Authorization", "Bearer " + ADMIN).GET())
              .json();
      assertThat(audit.path("items").valueStream().map(item -> item.path("action").asString()))
          .containsExactly("queue.pause", "token.create", "token.create");
      assertThat(audit.at("/items/0/actor").asString()).isEqualTo("ada");
      assertThat(audit.at("/items/0/tokenId").asString()).isEqualTo(ada.field("id"));
      assertThat(audit.at("/items/1/actor").asString()).isEqualTo("EBB_ADMIN_TOKEN");
      assertThat(audit.at("/items/1/subject").asString()).isEqualTo(eve.field("id"));
    }
  }

  private static List<String> changes(String action) {
    return api.get("/v1/audit?limit=1&action=" + action)
        .json()
        .at("/items/0/changes")
        .valueStream()
        .map(change ->
            change.path("field").asString()
                + ": "
                + change.path("from").asString("-")
                + " > "
                + change.path("to").asString("-"))
        .toList();
  }

  @Test
  void an_entry_says_what_was_changed_from_what_to_what() {
    api.set("/v1/queues/told", "{\"paused\":false,\"maxDepth\":10}");
    api.set("/v1/queues/told", "{\"paused\":false,\"maxDepth\":20,\"policy\":\"svix\"}");
    assertThat(changes("queue.put"))
        .hasSize(2)
        .contains("maxDepth: 10 > 20")
        .anyMatch(change -> change.startsWith("policy: - > {"));

    api.post("/v1/queues/told/pause", "{}");
    assertThat(changes("queue.pause")).containsExactly("paused: false > true");

    api.set("/v1/policies/told", "{\"policy\":\"svix\"}");
    api.set("/v1/policies/told", "{\"policy\":\"wechat\"}");
    assertThat(changes("policy.put")).singleElement().asString().contains("} > {");

    api.post("/v1/tokens", "{\"name\":\"told\",\"scopes\":[\"jobs:read\",\"jobs:submit\"]}");
    assertThat(changes("token.create")).contains("scopes: - > jobs:submit, jobs:read");

    String times = "{\"cron\":\"%s\",\"job\":{\"kind\":\"a\",\"payload\":\"%s\"}}";
    api.set("/v1/schedules/told", times.formatted("0 9 * * *", "s3cret"));
    api.set("/v1/schedules/told", times.formatted("0 8 * * *", "s3cret too"));
    assertThat(changes("schedule.put"))
        .containsExactly("times: 0 9 * * * > 0 8 * * *", "job.payload: - > -");
  }

  @Test
  void an_entry_of_a_patch_has_its_fields_but_no_payload_however_long() {
    Reply job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":\"s3cret\"}");
    String path = job.header("location");
    String patch =
        "{\"priority\":1,\"payload\":\"s3cret too\",\"labels\":{%s}}"
            .formatted(
                IntStream.range(0, 14)
                    .mapToObj(i -> "\"l%s\":\"%s\"".formatted(i, "x".repeat(100)))
                    .collect(Collectors.joining(",")));
    Reply patched =
        api.send(
            api.request(path)
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", api.get(path).header("etag"))
                .method("PATCH", BodyPublishers.ofString(patch)));
    assertThat(patched.status()).as(patched.body()).isEqualTo(200);

    assertThat(changes("job.patch"))
        .contains("priority: 5 > 1", "payload: - > -")
        .anyMatch(change -> change.startsWith("labels: - > l0=") && change.endsWith("…"))
        .hasSize(3)
        .allMatch(change -> change.length() < 600);
    assertThat(api.text("select string_agg(changes::text, '') from ebb.audit"))
        .doesNotContain("s3cret");
  }
}
