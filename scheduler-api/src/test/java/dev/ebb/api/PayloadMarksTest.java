package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.FuzzedRequests.Fuzzed;
import dev.ebb.api.FuzzedRequests.Operation;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.access.Scope;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whatever route is asked, and however: no answer to a token without {@code payload:read} holds
 * anything of a payload, or of what an attempt sent and got.
 *
 * <p>Marks stand in all of these. The requests are made from the contract, so that a new route is
 * asked too, or the test says that it was not.
 */
class PayloadMarksTest {
  private static final String MARK = "m4rk3d";
  private static final Set<Scope> ALL = Set.of(Scope.values());
  private static final Set<Scope> BLIND =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(Scope.PAYLOAD_READ)));

  private static final String JOBS =
      """
      {"jobs": [
        {"kind": "http", "queue": "q1", "payload": {"url": "https://merchant.example/MARK",
          "headers": {"X-Plain": "MARK"}, "body": {"order": "MARK"}}},
        {"kind": "a", "queue": "q1", "payload": {"order": ["MARK"]}},
        {"kind": "a", "queue": "q1", "payload": "MARK"},
        {"kind": "http", "queue": "q1", "payload": {"url": "https://merchant.example/MARK"}}
      ]}
      """
          .replace("MARK", MARK);

  /** The job holds the key while it waits. */
  private static final String KEYED =
      """
      {"kind": "a", "queue": "keyed", "uniqueKey": "k", "payload": "MARK"}
      """
          .replace("MARK", MARK);

  /** What a worker would take longer for. */
  @SuppressWarnings("InlineFormatString") // A statement stands whole.
  private static final String DIE =
      """
      with dying as (delete from ebb.job where id = '%s' returning *)
      insert into ebb.dead_letter (
        id, reason, failure_reason, failure, started_at, node, run_at, created_at, version,
        attempt, max_attempts, priority, queue, kind, payload)
      select
        id, 'max_attempts', 'http_500', 'no', now(), 'n1', run_at, created_at, version,
        1, max_attempts, priority, queue, kind, payload
      from dying
      """;

  private static final String ATTEMPT =
      """
      insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node, detail)
      select id, started_at, now(), 1, 'failed', 'n1',
        '{"request": {"url": "https://m.example/MARK", "headers": {"X-Plain": "MARK"},
          "body": "MARK"}, "response": {"status": 500, "headers": {"X-Plain": "MARK"},
          "body": "MARK"}, "rule": "default: 500"}'
      from ebb.dead_letter
      where id = '%s'
      """
          .replace("MARK", MARK);

  private static final String DELIVERED =
      """
      insert into ebb.delivered (ended_at, job_id, queue)
      select ended_at, job_id, 'd1' from ebb.attempt
      """;

  private static final String SCHEDULE =
      """
      {"cron": "0 9 * * *", "job": {"kind": "http", "queue": "q1", "payload":
        {"url": "https://merchant.example/MARK", "body": "MARK"}}}
      """
          .replace("MARK", MARK);

  private static ApiServer open;
  private static ApiServer closed;
  private static FuzzedRequests requests;
  private static Schemas schemas;
  private static int made;

  private final Map<Set<Scope>, String> tokens = new HashMap<>();
  private final Set<String> served = new TreeSet<>();
  private final Set<String> marked = new TreeSet<>();
  private List<String> jobs = List.of();
  private boolean mayLack = true;

  @BeforeAll
  static void start() {
    DatabaseConfig database = TestPostgres.shared().newDatabase();
    open = ApiServer.start(database);
    closed = ApiServer.closed(database, AccessConfig.of(ApiServer.ADMIN, List.of("")));
    JsonNode contract = open.get("/v1/openapi.json").json();
    requests = new FuzzedRequests(contract, 1);
    schemas = new Schemas(contract);
    open.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('n1', '1', '0', '{}', '{a}', 1)
        """);
  }

  @AfterAll
  static void stop() {
    closed.close();
    open.close();
  }

  @Test
  void no_answer_of_any_route_shows_a_payload_to_who_may_not_read_it() throws Exception {
    for (Operation operation : requests.operations()) {
      ask(operation, BLIND);
      if (isChange(operation)) {
        ask(operation, scopes(operation));
      }
    }

    assertThat(marked).isEmpty();
    assertThat(served)
        .as("operations that were served")
        .containsAll(
            requests.operations().stream()
                .filter(one -> !scopes(one).contains(Scope.PAYLOAD_READ))
                .map(Operation::id)
                .toList());
  }

  @Test
  void the_same_requests_show_payloads_to_who_may_read_them() throws Exception {
    for (Operation operation : requests.operations()) {
      ask(operation, ALL);
    }

    assertThat(marked)
        .contains("submitJob", "listJobs", "getJob", "patchJob", "retryJob", "redriveJob")
        .contains("holdJob", "releaseJob", "cloneJob", "listAttempts", "getAttempt")
        .contains("getNamedSchedule", "putSchedule", "pauseSchedule", "resumeSchedule");
    assertThat(marked)
        .as("a dry run shows no payloads to anybody")
        .doesNotContain("previewOperation");
  }

  @Test
  void no_event_shows_a_payload() throws Exception {
    StringBuilder told = new StringBuilder();
    try (EventClient events =
        EventClient.of(
            closed.request("/v1/events").header("Authorization", "Bearer " + token(BLIND)))) {
      events.next("ready");
      addJobs();
      events.next(message -> {
        told.append(message.data());
        return message.event().equals("change") && message.field("subject").equals(jobs.get(2));
      });
    }

    assertThat(told.toString()).contains("job.cancel").doesNotContain(MARK);
  }

  private static boolean isChange(Operation operation) {
    return !operation.method().equals("GET") && !operation.scopes().isEmpty();
  }

  private static Set<Scope> scopes(Operation operation) {
    List<String> words = operation.scopes();
    return words.isEmpty() ? BLIND : Scope.parse(words);
  }

  /** Asks in each way, of each thing that the path may mean. */
  private void ask(Operation operation, Set<Scope> scopes) throws Exception {
    String token = tokens.computeIfAbsent(scopes, PayloadMarksTest::token);
    List<String> queries = queries(operation);
    for (int way = 0; way < queries.size() + bodies(operation, "", token).size() - 1; way++) {
      prepare(operation);
      String query = way < queries.size() ? queries.get(way) : "";
      for (String path : paths(operation)) {
        List<String> bodies = bodies(operation, path, token);
        String body = bodies.get(Math.clamp(way - queries.size() + 1L, 0, bodies.size() - 1));
        send(new Fuzzed(operation, path + query, headers(operation), body, true), token);
      }
    }
  }

  /** Has there be what an operation acts on; what the one before cannot have changed stays. */
  private void prepare(Operation operation) {
    if (jobs.isEmpty() || isChange(operation)) {
      addJobs();
    }
    if (mayLack) {
      putSettings();
    }
    mayLack = isChange(operation) && !operation.path().startsWith("/v1/jobs");
  }

  private void send(Fuzzed request, String token) throws Exception {
    HttpResponse<InputStream> response =
        closed.open(request.on(closed).setHeader("Authorization", "Bearer " + token));
    if ((response.headers().map() + text(response)).contains(MARK)) {
      marked.add(request.operation().id());
    }
    if (response.statusCode() < 300) {
      served.add(request.operation().id());
    }
  }

  private static String text(HttpResponse<InputStream> response) throws IOException {
    try (InputStream in = response.body()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Map<String, String> headers(Operation operation) {
    Map<String, String> headers = new HashMap<>();
    var types = operation.described().at("/requestBody/content").propertyNames();
    types.stream().findFirst().ifPresent(type -> headers.put("Content-Type", type));
    boolean isMatched = operation.described().path("parameters").toString().contains("/IfMatch");
    if (isMatched) {
      headers.put("If-Match", "*");
    }
    return headers;
  }

  private static List<String> queries(Operation operation) {
    String parameters = operation.described().path("parameters").toString();
    List<String> queries = new ArrayList<>();
    queries.add(operation.id().equals("streamEvents") ? "?for=PT0.1S" : "");
    if (parameters.contains("/JobView")) {
      queries.add("?view=full");
    }
    return queries;
  }

  /** What the path may mean: of jobs one that waits, one that is held, has ended, has died. */
  private List<String> paths(Operation operation) throws SQLException {
    String path = operation.path();
    if (operation.id().equals("skipJob")) {
      open.execute("update ebb.job set ordering_key = 'shop', ordering_number = 1");
    }
    if (path.startsWith("/v1/jobs/{id}")) {
      return jobs.stream()
          .map(id -> path.replace("{id}", id).replace("{n}", "1").replace("{link}", link(path, id)))
          .toList();
    }
    return List.of(
        path.replace("{schedule}", operation.id().equals("resumeSchedule") ? "s2" : "s1")
            .replace("{queue}", operation.id().equals("deleteQueue") ? "q2" : "q1")
            .replace("{destination}", operation.id().equals("deleteDestination") ? "d2" : "d1")
            .replace("{key}", operation.path().contains("{key}") ? key() : "")
            .replace("{kind}", "k1")
            .replace("{policy}", "p1")
            .replace("{id}", id(operation)));
  }

  private static String link(String path, String job) {
    return path.contains("{link}") ? open.post("/v1/jobs/" + job + "/links", "{}").field("id") : "";
  }

  private static String key() {
    return open.post("/v1/destinations/d1/keys", "{\"overlap\":\"PT0S\"}").field("id");
  }

  private static String id(Operation operation) throws SQLException {
    return switch (operation.collection()) {
      case "nodes" -> "n1";
      case "tokens" -> open.post("/v1/tokens", named()).field("id");
      case "dead-letters" -> {
        open.grouped();
        yield open.text("select id from ebb.error_group limit 1");
      }
      case "operations" -> operation(operation.id());
      default -> "";
    };
  }

  private static String operation(String toBe) {
    String retry = "{\"action\":\"retry\",\"filter\":{\"queue\":[\"none\"]}}";
    String id = open.post("/v1/operations", retry).field("id");
    if (toBe.equals("resumeOperation")) {
      open.post("/v1/operations/" + id + "/pause");
    }
    open.execute("update ebb.operation set done = 1 where id = '" + id + "'");
    return id;
  }

  /**
   * Its examples; the marked jobs by their ids, and by the key of one; and what is there, sent back
   * as it is shown.
   */
  private List<String> bodies(Operation operation, String path, String token) {
    List<List<String>> fields = requests.fields(operation);
    List<ObjectNode> bodies = new ArrayList<>();
    JsonNode content = operation.described().at("/requestBody/content");
    content.forEach(one -> schemas.examples(one).forEach(example -> bodies.add(copy(example))));
    ObjectNode first =
        bodies.isEmpty() ? JsonMapper.shared().createObjectNode() : bodies.getFirst();
    if (fields.contains(List.of("ids"))) {
      bodies.add(byIds(first));
    }
    if (fields.contains(List.of("uniqueKey")) && first.has("kind")) {
      bodies.add(JsonMapper.shared().readTree(KEYED.replace(MARK, "1")).asObject());
    }
    if (fields.contains(List.of("lifetime"))) {
      bodies.add(
          JsonMapper.shared().createObjectNode().put("name", "t" + ++made).put("role", "viewer"));
    }
    if (fields.contains(List.of("confirm"))) {
      bodies.add(JsonMapper.shared().createObjectNode().put("confirm", "q1"));
    }
    if (fields.contains(List.of("note"))) {
      bodies.add(JsonMapper.shared().createObjectNode().put("note", "called"));
    }
    if (operation.method().equals("PUT")) {
      bodies.add(sentBack(path, fields, token));
    }
    return bodies.isEmpty() ? List.of("") : bodies.stream().map(JsonNode::toString).toList();
  }

  private static ObjectNode copy(JsonNode example) {
    ObjectNode copy = example.deepCopy().asObject();
    return copy.has("name") ? copy.put("name", "t" + ++made) : copy;
  }

  private ObjectNode byIds(ObjectNode example) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.put("action", example.path("action").asString("hold"));
    jobs.forEach(body.putArray("ids")::add);
    return body;
  }

  private static ObjectNode sentBack(String path, List<List<String>> fields, String token) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    if (!path.isEmpty()) {
      JsonNode shown =
          closed.send(closed.request(path).header("Authorization", "Bearer " + token).GET()).json();
      shown
          .properties()
          .forEach(field -> {
            if (fields.contains(List.of(field.getKey()))) {
              body.set(field.getKey(), field.getValue());
            }
          });
    }
    return body;
  }

  private static String named() {
    return "{\"name\":\"t%s\",\"role\":\"viewer\"}".formatted(++made);
  }

  private static String token(Set<Scope> scopes) {
    String words = String.join("\",\"", Scope.words(scopes));
    Reply token =
        open.post("/v1/tokens", "{\"name\":\"t%s\",\"scopes\":[\"%s\"]}".formatted(++made, words));
    return token.field("token");
  }

  /**
   * Adds a job that waits, one that is held, one that has ended and one that has died; and a key's.
   */
  private void addJobs() {
    jobs =
        open.post("/v1/jobs/batch", JOBS)
            .json()
            .path("items")
            .valueStream()
            .map(job -> job.path("id").asString())
            .toList();
    open.post("/v1/jobs/" + jobs.get(1) + "/hold");
    open.post("/v1/jobs/" + jobs.get(2) + "/cancel");
    String dead = jobs.get(3);
    open.execute(String.join(";", DIE.formatted(dead), ATTEMPT.formatted(dead), DELIVERED));
    open.post("/v1/jobs", KEYED);
  }

  private static void putSettings() {
    open.set("/v1/policies/p1", "{\"policy\":\"svix\"}");
    open.set("/v1/kinds/k1", "{\"labelsFrom\":{\"order\":\"/order\"}}");
    String limited =
        "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}";
    open.set("/v1/queues/q1", limited);
    open.set("/v1/destinations/d1", "{\"url\":\"https://merchant.example/\"}");
    open.set("/v1/destinations/d2", "{\"url\":\"https://merchant.example/\"}");
    open.set("/v1/queues/q2", limited);
    open.set("/v1/schedules/s1", SCHEDULE);
    open.set("/v1/schedules/s2", SCHEDULE);
    open.post("/v1/schedules/s2/pause");
  }
}
