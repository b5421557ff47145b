package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.FuzzedCallers.Caller;
import dev.ebb.api.FuzzedRequests.Fuzzed;
import dev.ebb.api.FuzzedRequests.Operation;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Whatever is asked of whichever operation: no answer is a 5xx or tells of the program, none that
 * refuses has changed a row, and each is as the contract describes it.
 */
class ContractFuzzTest {
  private static final long SEED = 20261123;
  private static final int REQUESTS = 10_000;
  private static final int WITH_TOKENS = 2_000;

  /** The tables are emptied so often, as each refusal has all their rows compared. */
  private static final int KEPT = 250;

  /** Of a field, how many requests break it; one more has it as it should be. */
  private static final int BROKEN = 3;

  /**
   * Not what time alone or the node changes. The audit keeps all its rows, so they are counted; of
   * tokens it does not count when they were used.
   */
  private static final String TABLES =
      """
      from pg_class
      where relnamespace = 'ebb'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('flyway_schema_history', 'limiter', 'lease', 'node', 'listening', 'token')
        and relname not like 'audit%'
      """;

  private static final String DIGEST =
      """
      select 'select md5(string_agg(r, '''' order by r)) from (select count(*)::text from ebb.audit'
        || ' union all select concat(id, name, scopes, expires_at, revoked_at) from ebb.token'
        || string_agg(format(' union all select %L || t from ebb.%I t', relname, relname), '')
        || ') rows (r)'
      """
          + TABLES;

  // The cluster's settings are one row, which is always there.
  private static final String EMPTY =
      """
      select 'update ebb.settings set subject = null; truncate '
        || string_agg('ebb.' || quote_ident(relname), ', ')
      """
          + TABLES
          + " and relname <> 'settings'";

  /** So many that some are still there, and empty, when one is to be deleted. */
  private static final List<String> EMPTY_QUEUES = List.of("q2", "q3", "q4", "q5");

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();
  private final Set<String> served = new TreeSet<>();
  private final Set<String> undescribed = new TreeSet<>();
  private ApiServer api;
  private Connection connection;
  private Schemas schemas;
  private FuzzedRequests requests;
  private String before = "";
  private String digest;
  private String empty;

  @BeforeEach
  void start() throws SQLException {
    api = ApiServer.start(database);
    JsonNode contract = api.get("/v1/openapi.json").json();
    schemas = new Schemas(contract);
    requests = new FuzzedRequests(contract, SEED);
    connection = api.connect();
    digest = api.text(DIGEST);
    empty = api.text(EMPTY);
  }

  @AfterEach
  void stop() throws SQLException {
    connection.close();
    api.close();
  }

  @Test
  @Proof
  void ten_thousand_requests_are_served_or_refused_as_the_contract_says() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      ask(i, requests.next(), api);
    }
    serveTheRest();

    assertThat(undescribed).as("statuses that the contract does not name").isEmpty();
    assertThat(served)
        .as("operations that were served")
        .containsExactlyInAnyOrderElementsOf(
            requests.operations().stream().map(Operation::id).toList());
  }

  @Test
  @Proof
  void each_field_of_each_body_is_served_or_refused_with_values_that_fit_and_that_do_not()
      throws Exception {
    int number = 0;
    int fields = 0;
    for (Operation operation : requests.operations()) {
      for (List<String> field : requests.fields(operation)) {
        fields++;
        for (int i = 0; i <= BROKEN; i++) {
          ask(number++, requests.withField(operation, field, i < BROKEN), api);
        }
      }
    }

    System.out.printf("%s fields, %s requests%n", fields, number);
    assertThat(undescribed).as("statuses that the contract does not name").isEmpty();
    assertThat(fields).isGreaterThan(200);
  }

  /** What few random requests fit, such as deleting a queue while it is empty, is asked again. */
  private void serveTheRest() throws Exception {
    for (Operation operation : requests.operations()) {
      for (int i = 0; i < REQUESTS / 10 && !served.contains(operation.id()); i++) {
        ask(i, requests.valid(operation), api);
      }
    }
  }

  private void ask(int i, Fuzzed request, ApiServer of) throws Exception {
    ask(i, request, request.on(of), "anybody");
  }

  private Reply ask(int i, Fuzzed request, HttpRequest.Builder sent, String caller)
      throws Exception {
    if (i % KEPT == 0) {
      seed();
      before = rows();
    }
    Reply reply = send(sent);
    String what =
        "seed %s, request %s of %s: %s%n%s".formatted(SEED, i, caller, request, reply.body());
    check(request, reply, what);
    if (reply.status() >= 400) {
      assertThat(rows()).as(what).isEqualTo(before);
    } else if (!request.operation().method().equals("GET")) {
      before = rows();
    }
    return reply;
  }

  @Test
  @Proof
  void callers_are_refused_for_their_token_or_its_scopes_or_not_at_all() throws Exception {
    FuzzedCallers callers = new FuzzedCallers(api, SEED);
    AccessConfig access = AccessConfig.of(ApiServer.ADMIN, List.of("/note"));
    try (ApiServer closed = ApiServer.closed(database, access)) {
      for (int i = 0; i < WITH_TOKENS; i++) {
        Fuzzed request = requests.next();
        Caller caller = callers.next(request.operation());
        Reply reply = ask(i, request, caller.onto(request.on(closed)), caller.name());
        String what =
            "seed %s, request %s of %s: %s%n%s"
                .formatted(SEED, i, caller.name(), request, reply.body());
        if (caller.refusal() == 0) {
          isNotRefusedForItsToken(request, caller, reply, what);
        } else {
          assertThat(reply.status()).as(what).isIn(refusals(caller, request));
        }
      }
    }

    assertThat(undescribed).as("statuses that the contract does not name").isEmpty();
    assertThat(callers.counts().values()).hasSize(7).allMatch(sent -> sent > WITH_TOKENS / 20);
    assertThat(served).hasSizeGreaterThan(requests.operations().size() / 2);
  }

  /** A live token learns first whether the path leads somewhere, and in which form it answers. */
  private static List<Integer> refusals(Caller caller, Fuzzed request) {
    if (caller.refusal() == 401) {
      return List.of(401);
    }
    if (!request.isPathKept()) {
      return List.of(403, 400, 404, 405);
    }
    return request.headers().containsKey("Accept") ? List.of(403, 406) : List.of(403);
  }

  /**
   * Its request may ask for more than the operation needs: to see or change payloads, to give
   * scopes.
   */
  private static void isNotRefusedForItsToken(
      Fuzzed request, Caller caller, Reply reply, String what) {
    assertThat(reply.status()).as(what).isNotEqualTo(401);
    if (reply.status() == 403) {
      assertThat(caller.name()).as(what).isEqualTo("right");
      String lacked = reply.header("www-authenticate").replaceFirst(".*scope=\"([a-z:]+)\"", "$1");
      assertThat(lacked).as(what).isNotIn(request.operation().scopes());
      assertThat(lacked.equals("payload:read") || request.operation().id().equals("createToken"))
          .as(what)
          .isTrue();
    }
  }

  @Test
  void a_row_that_is_stored_or_changed_shows() throws SQLException {
    String none = rows();
    Reply job = api.post("/v1/jobs", JOB);
    String stored = rows();
    api.post(job.header("location") + "/hold");
    String held = rows();

    assertThat(Set.of(none, stored, held)).hasSize(3);
    assertThat(rows()).isEqualTo(held);
  }

  private void check(Fuzzed request, Reply reply, String what) {
    assertThat(reply.status()).as(what).isLessThan(500);
    assertThat(reply.body()).as(what).doesNotContain("\tat ", "Exception", "org.postgresql");
    Operation operation = request.operation();
    boolean isDescribed =
        operation.described().path("responses").has(Integer.toString(reply.status()));
    if (!isDescribed && request.isPathKept()) {
      undescribed.add(operation.id() + " " + reply.status());
    }
    if (reply.status() >= 400) {
      assertThat(reply.header("content-type")).as(what).startsWith("application/problem+json");
      assertThat(schemas.violations(schemas.named("Problem"), reply.json())).as(what).isEmpty();
      assertThat(reply.json().path("status").asInt()).as(what).isEqualTo(reply.status());
    } else {
      served.add(operation.id());
      learn(operation, reply, what);
    }
  }

  private void learn(Operation operation, Reply reply, String what) {
    JsonNode described = schemas.answer(operation.described(), reply.status());
    if (reply.header("content-type").startsWith("application/json")) {
      assertThat(schemas.violations(described, reply.json())).as(what).isEmpty();
      requests.learn(operation, reply.json());
    }
  }

  /** A digest of all that is stored. */
  private String rows() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(digest)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Sends, and reads the answer, unless it is a stream, which has no end. */
  private Reply send(HttpRequest.Builder request) throws Exception {
    HttpResponse<InputStream> response = api.open(request);
    try (InputStream in = response.body()) {
      boolean isStream =
          response.headers().firstValue("content-type").orElse("").startsWith("text/event-stream");
      String body = isStream ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Reply(response.statusCode(), body, response);
    }
  }

  /** Brings every table back to a few rows: jobs that wait, ended and died, a queue, and so on. */
  private void seed() throws SQLException {
    requests.forget();
    empty();
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('n1', '1', '0', '{}', '{a}', 1)
        on conflict do nothing
        """);
    api.post("/v1/jobs/batch", "{\"jobs\":[%s]}".formatted(("," + JOB).repeat(8).substring(1)));
    api.execute(DIE);
    api.execute(ATTEMPTS);
    api.post("/v1/jobs", KEYED);
    api.grouped();
    api.set("/v1/policies/q1", "{\"policy\":\"svix\"}");
    api.set("/v1/kinds/q1", "{\"labelsFrom\":{\"order\":\"/order\"}}");
    for (String queue : EMPTY_QUEUES) {
      assertThat(api.set("/v1/queues/" + queue, LIMITED).status()).isBetween(200, 201);
      api.set("/v1/schedules/" + queue, SCHEDULE);
    }
    api.set("/v1/destinations/d1", "{\"url\":\"https://merchant.example/\"}");
    JsonNode key = api.post("/v1/destinations/d1/keys", "{}").json();
    requests.operations().stream()
        .filter(one -> one.id().equals("addSigningKey"))
        .forEach(one -> requests.learn(one, key));
    for (String path :
        new String[] {
          "jobs",
          "queues",
          "destinations",
          "schedules",
          "nodes",
          "kinds",
          "policies",
          "tokens",
          "dead-letters/groups"
        }) {
      requests.operations().stream()
          .filter(one -> one.path().equals("/v1/" + path) && one.method().equals("GET"))
          .forEach(one -> requests.learn(one, api.get(one.path()).json()));
    }
    seedLinks();
    // The first export would make it.
    api.post("/v1/export-keys", "{}");
  }

  /** One of each job: both ids of a path must fit. */
  private void seedLinks() {
    for (JsonNode job : api.get("/v1/jobs").json().path("items")) {
      String links = "/v1/jobs/" + job.path("id").asString() + "/links";
      JsonNode link = api.post(links, "{}").json();
      requests.operations().stream()
          .filter(one -> one.id().equals("createJobLink"))
          .forEach(one -> requests.learn(one, link));
    }
  }

  /** A stream that ends may still read several tables at once, and be in the way. */
  private void empty() {
    while (true) {
      try {
        api.execute(empty);
        api.execute("delete from ebb.token where name not like 'fuzz %'");
        return;
      } catch (IllegalStateException failure) {
        if (!(failure.getCause() instanceof SQLException cause)
            || !"40P01".equals(cause.getSQLState())) {
          throw failure;
        }
      }
    }
  }

  private static final String JOB = "{\"kind\":\"report\",\"queue\":\"q1\",\"payload\":1}";

  /** One that can be skipped. */
  private static final String KEYED =
      "{\"kind\":\"report\",\"queue\":\"q1\",\"payload\":1,\"orderingKey\":\"o\"}";

  private static final String LIMITED =
      "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}";

  private static final String SCHEDULE =
      "{\"cron\":\"0 9 * * *\",\"job\":{\"kind\":\"report\",\"queue\":\"q1\",\"payload\":1}}";

  private static final String ATTEMPTS =
      """
      insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node)
      select id, started_at, now(), 1, 'failed', node from ebb.dead_letter
      """;

  /** What a worker would take longer for. */
  private static final String DIE =
      """
      with dying as (
        delete from ebb.job where id in (select id from ebb.job limit 4) returning *
      )
      insert into ebb.dead_letter (
        id, reason, failure_reason, failure, started_at, node, run_at, created_at, version,
        attempt, max_attempts, priority, queue, kind, payload)
      select
        id, 'max_attempts', 'http_500', 'no', now(), 'n1', run_at, created_at, version,
        1, max_attempts, priority, queue, kind, payload
      from dying
      """;
}
