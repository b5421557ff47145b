package dev.ebb.api;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Who may do what. */
class AccessTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();

  private static ApiServer api;
  private static JsonNode contract;

  @BeforeAll
  static void start() {
    AccessConfig access = AccessConfig.of(ADMIN, List.of("/card/*", "/note"));
    api = ApiServer.closed(DATABASE, access);
    contract = get("/v1/openapi.json", ADMIN).json();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  /** An operation of the contract; empty scopes are any token, absent ones no token. */
  private record Operation(String method, String path, boolean open, List<String> scopes) {}

  private static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        JsonNode security = verb.getValue().path("security");
        assertThat(security.isArray()).as(verb.getKey() + path.getKey()).isTrue();
        operations.add(
            new Operation(
                verb.getKey().toUpperCase(Locale.ROOT),
                path.getKey()
                    .replace("{id}", ApiServer.UNKNOWN_ID)
                    .replace("{n}", "1")
                    .replace("/v1/events", "/v1/events?for=0s")
                    .replace("{queue}", "q")
                    .replace("{destination}", "q")
                    .replace("{key}", "k")
                    .replace("{link}", "l")
                    .replace("{schedule}", "s")
                    .replace("{kind}", "k")
                    .replace("{policy}", "p"),
                security.isEmpty(),
                security.path(0).path("token").valueStream().map(JsonNode::asString).toList()));
      }
    }
    return operations;
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void each_operation_is_for_tokens_with_its_scopes_as_the_contract_says(Scope scope) {
    String token = token("only " + scope, Set.of(scope));
    Map<String, Integer> served = new TreeMap<>();
    for (Operation operation : operations()) {
      Reply reply = ask(operation, token);
      boolean mayDo = Set.of(scope.word()).containsAll(operation.scopes());
      String what = operation + " with " + scope.word() + ": " + reply.body();
      assertThat(reply.status() == 403).as(what).isEqualTo(!mayDo);
      assertThat(reply.status()).as(what).isNotIn(401, 500);
      if (!mayDo) {
        assertThat(reply.field("code")).as(what).isEqualTo("missing_scope");
        assertThat(reply.header("www-authenticate")).contains("insufficient_scope");
      } else {
        served.merge(operation.method(), 1, Integer::sum);
      }
    }
    assertThat(served).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer ebb_00000000_00000000000000000000000000000000",
        "Bearer an-admin's-token-of-32-character",
        "Bearer an-admin's-token-of-32-characters2",
        "Bearer an-admin's-token-of-32-characters an-admin's-token-of-32-characters",
      })
  void without_a_live_token_nothing_but_the_probes_is_served(String authorization) {
    long before = api.stored();
    int refused = 0;
    for (Operation operation : operations()) {
      Reply reply = send(operation, authorization);
      assertThat(reply.status() == 401).as(operation.toString()).isEqualTo(!operation.open());
      if (reply.status() == 401) {
        refused++;
        assertThat(reply.field("code")).isEqualTo("unauthenticated");
        assertThat(reply.header("www-authenticate")).startsWith("Bearer");
        assertThat(reply.body()).doesNotContain(ADMIN);
      }
    }
    assertThat(refused).isGreaterThan(20);
    assertThat(api.stored()).isEqualTo(before);
  }

  @Test
  void a_caller_that_waits_is_told_nothing_once_its_token_is_revoked() throws Exception {
    Reply waiter = post("/v1/tokens", "{\"name\":\"waiter\",\"role\":\"viewer\"}", ADMIN);
    String job = post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}", ADMIN).header("location");
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> waiting = callers.submit(() -> get(job + "?wait=PT20S", waiter.field("token")));
      delete("/v1/tokens/" + waiter.field("id"), ADMIN);
      post(job + "/cancel", "", ADMIN);

      assertThat(waiting.get().status()).isEqualTo(401);
    }
  }

  @Test
  void two_tokens_in_one_request_are_none() {
    Reply reply =
        api.send(
            api.request("/v1/me")
                .header("Authorization", "Bearer " + ADMIN)
                .header("Authorization", "Bearer " + ADMIN)
                .GET());

    assertThat(reply.status()).isEqualTo(401);
  }

  @Test
  void a_token_is_made_used_listed_and_revoked() {
    Reply made =
        post("/v1/tokens", "{\"name\":\"ada\",\"role\":\"operator\",\"lifetime\":\"P90D\"}", ADMIN);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String text = made.field("token");
    assertThat(text).matches("ebb_[0-9a-z]{8}_[0-9a-z]{32}").contains(made.field("id"));
    assertThat(made.field("createdBy")).isEqualTo("EBB_ADMIN_TOKEN");

    Reply me = get("/v1/me", text);
    assertThat(me.field("name")).isEqualTo("ada");
    assertThat(me.field("role")).isEqualTo("operator");
    Reply list = get("/v1/tokens", ADMIN);
    assertThat(list.body()).contains("\"ada\"").doesNotContain(text.substring(13));

    Reply revoked = delete("/v1/tokens/" + made.field("id"), ADMIN);
    assertThat(revoked.status()).isEqualTo(200);
    assertThat(revoked.field("revokedAt")).isNotEmpty();
    assertThat(delete("/v1/tokens/" + made.field("id"), ADMIN).status()).isEqualTo(404);
  }

  @Test
  void a_token_ends_no_later_than_the_one_that_made_it_and_a_revoked_one_makes_none() {
    Reply maker =
        post("/v1/tokens", "{\"name\":\"m\",\"role\":\"admin\",\"lifetime\":\"PT1H\"}", ADMIN);
    Reply child =
        post("/v1/tokens", "{\"name\":\"child\",\"role\":\"viewer\"}", maker.field("token"));
    assertThat(child.status()).as(child.body()).isEqualTo(201);
    assertThat(child.field("expiresAt")).isEqualTo(maker.field("expiresAt"));

    // Behind the back of what the node knows.
    api.execute("update ebb.token set revoked_at = now() where name = 'm'");
    Reply late =
        post("/v1/tokens", "{\"name\":\"late\",\"role\":\"viewer\"}", maker.field("token"));
    assertThat(late.status()).as(late.body()).isEqualTo(401);
    assertThat(get("/v1/tokens", ADMIN).body()).doesNotContain("\"late\"");
  }

  @Test
  void a_token_takes_those_that_it_made_with_it() {
    String admin = "{\"name\":\"%s\",\"role\":\"admin\"}";
    Reply parent = post("/v1/tokens", admin.formatted("grandmother"), ADMIN);
    Reply child = post("/v1/tokens", admin.formatted("mother"), parent.field("token"));
    Reply last = post("/v1/tokens", admin.formatted("daughter"), child.field("token"));
    assertThat(last.field("createdBy")).isEqualTo("mother");
    assertThat(last.field("createdById")).isEqualTo(child.field("id"));
    assertThat(parent.json().has("createdById")).isFalse();

    Reply revoked = delete("/v1/tokens/" + parent.field("id"), ADMIN);

    assertThat(revoked.json().path("alsoRevoked").asInt()).isEqualTo(2);
    for (Reply token : List.of(parent, child, last)) {
      assertThat(get("/v1/me", token.field("token")).status()).isEqualTo(401);
    }
    JsonNode entry = get("/v1/audit?limit=1", ADMIN).json().at("/items/0");
    assertThat(entry.path("action").asString()).isEqualTo("token.revoke");
    assertThat(entry.path("affected").asInt()).isEqualTo(3);
  }

  @Test
  void an_expired_token_gives_its_name_back() {
    post("/v1/tokens", "{\"name\":\"again\",\"role\":\"viewer\",\"lifetime\":\"PT1H\"}", ADMIN);
    String again = "{\"name\":\"again\",\"role\":\"viewer\"}";
    assertThat(post("/v1/tokens", again, ADMIN).status()).isEqualTo(400);

    api.execute("update ebb.token set expires_at = now() where name = 'again'");

    assertThat(post("/v1/tokens", again, ADMIN).status()).isEqualTo(201);
  }

  @Test
  void a_token_is_revoked_by_its_id_and_never_by_a_name_that_looks_like_one() {
    Reply first = post("/v1/tokens", "{\"name\":\"first\",\"role\":\"viewer\"}", ADMIN);
    String id = first.field("id");
    post("/v1/tokens", "{\"name\":\"" + id + "\",\"role\":\"viewer\"}", ADMIN);

    assertThat(delete("/v1/tokens/" + id, ADMIN).field("name")).isEqualTo("first");
    assertThat(delete("/v1/tokens/" + id, ADMIN).status()).isEqualTo(404);
  }

  @Test
  void nobody_gives_a_scope_that_it_lacks() {
    String maker = token("maker", Set.of(Scope.TOKENS_ADMIN));

    Reply reply = post("/v1/tokens", "{\"name\":\"more\",\"role\":\"admin\"}", maker);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(get("/v1/tokens", ADMIN).body()).doesNotContain("\"more\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"role\":\"viewer\"} | /name",
        "{\"name\":\" \",\"role\":\"viewer\"} | /name",
        "{\"name\":\"a\\nb\",\"role\":\"viewer\"} | /name",
        "{\"name\":\"taken\",\"role\":\"viewer\"} | /name",
        "{\"name\":\"./ebb\",\"role\":\"viewer\"} | /name",
        "{\"name\":\"a\\u202eb\",\"role\":\"viewer\"} | /name",
        "{\"name\":\"x\"} | /scopes",
        "{\"name\":\"x\",\"scopes\":[]} | /scopes",
        "{\"name\":\"x\",\"scopes\":[\"jobs:red\"]} | /scopes",
        "{\"name\":\"x\",\"scopes\":[1]} | /scopes/0",
        "{\"name\":\"x\",\"role\":\"viewer\",\"scopes\":[\"jobs:read\"]} | /scopes",
        "{\"name\":\"x\",\"role\":\"Viewer\"} | /role",
        "{\"name\":\"x\",\"role\":\"viewer\",\"lifetime\":\"PT59S\"} | /lifetime",
        "{\"name\":\"x\",\"role\":\"viewer\",\"expiresAt\":\"2030-01-01T00:00:00Z\"} | /expiresAt",
      })
  void a_bad_token_is_refused_at_its_field(String body, String pointer) {
    post("/v1/tokens", "{\"name\":\"taken\",\"role\":\"viewer\"}", ADMIN);

    Reply reply = post("/v1/tokens", body, ADMIN);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD,/v1/jobs,200",
    "HEAD,/v1/nothing,404",
    "GET,/v1/nothing,404",
    "GET,/nothing,404",
    "DELETE,/v1/jobs,405",
    "DELETE,/livez,405",
    "OPTIONS,/v1/jobs,405",
    "GET,/v1/jobs?nonsense=1,400",
    "GET,/v1/jobs?cursor=%09,400",
    "GET,/v1/jobs;a=b,400"
  })
  void only_a_caller_with_a_token_learns_which_routes_there_are(
      String method, String path, int status) {
    Reply stranger = api.send(api.request(path).method(method, BodyPublishers.noBody()));
    Reply known =
        api.send(
            api.request(path)
                .header("Authorization", "Bearer " + ADMIN)
                .method(method, BodyPublishers.noBody()));

    assertThat(stranger.status()).isEqualTo(401);
    assertThat(stranger.header("allow")).isEmpty();
    assertThat(known.status()).isEqualTo(status);
  }

  @Test
  void payloads_are_masked_from_those_who_may_not_read_them() {
    String payload = "{\"card\":{\"number\":4111,\"name\":\"Ada\"},\"note\":[1,2],\"order\":9.10}";
    String masked =
        "{\"card\":{\"number\":\"***\",\"name\":\"***\"},\"note\":\"***\",\"order\":9.10}";
    String job = "{\"kind\":\"a\",\"uniqueKey\":\"k\",\"payload\":" + payload + "}";
    String submitter = token("submitter", Set.of(Scope.JOBS_SUBMIT));
    String viewer = token("viewer", Role.VIEWER.scopes());
    String operator = token("reader", Role.OPERATOR.scopes());

    Reply stored = post("/v1/jobs", job, submitter);
    String path = stored.header("location");

    assertThat(stored.status()).isEqualTo(201);
    assertThat(stored.body()).contains(masked);
    assertThat(post("/v1/jobs", job, submitter).json().propertyNames())
        .as("it may not read whose key it is")
        .containsExactly("id", "deduplicated");
    assertThat(
            post("/v1/jobs", job, token("both", Set.of(Scope.JOBS_SUBMIT, Scope.JOBS_READ))).body())
        .contains(masked);
    assertThat(get(path, viewer).body()).contains(masked).doesNotContain("4111");
    assertThat(get(path, operator).body()).contains(payload);
    assertThat(post(path + "/retry", "", operator).body()).contains(payload);
    assertThat(get("/v1/jobs", viewer).body()).doesNotContain("4111");
  }

  @Test
  void a_payload_is_neither_changed_nor_shown_by_those_who_may_not_read_it() {
    String job =
        post("/v1/jobs", "{\"kind\":\"a\",\"payload\":{\"note\":\"4111\"}}", ADMIN)
            .header("location");
    String blind = token("blind", Set.of(Scope.JOBS_READ, Scope.JOBS_OPERATE));

    Reply patched = patch(job, "{\"payload\":{\"other\":1}}", blind);
    Reply overridden = post(job + "/clone", "{\"payload\":{\"other\":1}}", blind);

    for (Reply refused : List.of(patched, overridden)) {
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.header("www-authenticate")).contains("payload:read");
    }
    for (Reply allowed :
        List.of(
            patch(job, "{\"priority\":1}", blind),
            post(job + "/clone", "{}", blind),
            post(job + "/hold", "{}", blind))) {
      assertThat(allowed.status()).as(allowed.body()).isBetween(200, 201);
      assertThat(allowed.body()).contains("***").doesNotContain("4111");
    }
  }

  private static Reply patch(String path, String body, String token) {
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", get(path, token).header("etag"))
            .method("PATCH", BodyPublishers.ofString(body)));
  }

  @Test
  void payloads_are_searched_and_listed_only_by_those_who_may_read_them() {
    String viewer = token("searching viewer", Role.VIEWER.scopes());
    String auditor = token("searching auditor", Role.AUDITOR.scopes());

    for (String path :
        List.of(
            "/v1/jobs?payload=x",
            "/v1/jobs?q=payload:x",
            "/v1/jobs/count?q=a+payload:x",
            "/v1/jobs?view=full")) {
      Reply refused = get(path, viewer);
      assertThat(refused.status()).as(path).isEqualTo(403);
      assertThat(refused.header("www-authenticate")).contains("payload:read");
      assertThat(get(path, auditor).status()).as(path).isEqualTo(200);
    }
  }

  @Test
  void who_may_not_read_payloads_sees_of_a_destination_only_where_it_leads() {
    String path = "/v1/destinations/secretive";
    String body =
        "{\"url\":\"https://acme.example/hooks/T00/B11\",\"headers\":{\"X-Shop\":\"4711\"}}";
    put(path, body, ADMIN);
    String blind = token("blind admin", Set.of(Scope.JOBS_READ, Scope.QUEUES_ADMIN));

    assertThat(get(path, ADMIN).body()).contains("/hooks/T00/B11", "4711", "\"version\"");
    for (String shown : List.of(path, "/v1/destinations?limit=1000")) {
      assertThat(get(shown, blind).body())
          .contains("https://acme.example/***", "X-Shop")
          .doesNotContain("T00", "4711", "\"version\"");
    }
    assertThat(patch(path, "{\"timeout\":\"PT5S\"}", blind).status()).isEqualTo(200);
    Reply mask = patch(path, "{\"url\":\"https://acme.example/***\"}", blind);
    assertThat(mask.status()).as(mask.body()).isEqualTo(400);
    assertThat(get(path, ADMIN).body()).contains("/hooks/T00/B11", "4711", "PT5S");
  }

  private static Reply put(String path, String body, String token) {
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body)));
  }

  private static String token(String name, Set<Scope> scopes) {
    String words = scopes.stream().map(Scope::word).collect(joining("\",\""));
    return post("/v1/tokens", "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(name, words), ADMIN)
        .field("token");
  }

  private static Reply ask(Operation operation, String token) {
    return send(operation, "Bearer " + token);
  }

  private static Reply send(Operation operation, String authorization) {
    var request = api.request(operation.path()).header("Content-Type", "application/json");
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    boolean reads = operation.method().equals("GET") || operation.method().equals("DELETE");
    var body = reads ? BodyPublishers.noBody() : BodyPublishers.ofString("{\"nonsense\":1}");
    return api.send(request.method(operation.method(), body));
  }

  private static Reply get(String path, String token) {
    return api.send(api.request(path).header("Authorization", "Bearer " + token).GET());
  }

  private static Reply delete(String path, String token) {
    return api.send(api.request(path).header("Authorization", "Bearer " + token).DELETE());
  }

  private static Reply post(String path, String body, String token) {
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }
}
