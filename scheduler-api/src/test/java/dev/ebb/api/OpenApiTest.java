package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.OrderedJobs;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.JsonNode;

/** The description and the API say the same. */
class OpenApiTest {
  private static ApiServer api;
  private static JsonNode document;
  private static Schemas schemas;

  @BeforeAll
  static void start() {
    api = ApiServer.beside(Pages.MOUNT);
    document = api.get("/v1/openapi.json").json();
    schemas = new Schemas(document);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void every_route_is_described_and_every_described_route_is_there() {
    Set<String> described = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      path.getValue().propertyNames().forEach(verb -> described.add(verb + " " + path.getKey()));
    }

    Set<String> there = new TreeSet<>();
    Arrays.stream(ApiParts.CLASSES)
        .filter(type -> AnnotatedElementUtils.hasAnnotation(type, Controller.class))
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .flatMap(OpenApiTest::routes)
        .forEach(there::add);

    assertThat(described).isEqualTo(there).hasSizeGreaterThan(15);
  }

  @Test
  void what_another_module_mounts_is_no_part_of_the_description() {
    assertThat(api.get("/ui/page").status()).isEqualTo(200);
    assertThat(document.path("paths").propertyNames())
        .allSatisfy(path -> assertThat(path).matches("/(v1/.*|livez|startupz|readyz|metrics)"));
  }

  private static Stream<String> routes(Method method) {
    RequestMapping mapping =
        AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
    return mapping == null
        ? Stream.empty()
        : Arrays.stream(mapping.path())
            .flatMap(path ->
                Arrays.stream(mapping.method())
                    .map(verb -> verb.name().toLowerCase(Locale.ROOT) + " " + path));
  }

  @Test
  void every_example_of_a_body_is_accepted_and_answered_as_described() {
    int examples = 0;
    String job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        JsonNode body =
            verb.getValue().path("requestBody").path("content").path("application/json");
        for (JsonNode example : body.path("examples")) {
          String name = "q" + examples++;
          String url =
              path.getKey()
                  .replace("{id}", job)
                  .replace("{queue}", name)
                  .replace("{destination}", destination(path.getKey(), name))
                  .replace("{key}", key(path.getKey(), name))
                  .replace("{kind}", name)
                  .replace("{policy}", name)
                  .replace("{schedule}", name);
          String text = example.path("value").toString();
          Reply reply = verb.getKey().equals("put") ? api.put(url, text) : api.post(url, text);
          assertThat(reply.status()).as(text + reply.body()).isBetween(200, 202);
          matches(schemas.answer(verb.getValue(), reply.status()), reply.json(), url);
        }
      }
    }
    assertThat(examples).isGreaterThan(8);
  }

  /** One that is there for what is below it. */
  private static String destination(String path, String name) {
    if (path.startsWith("/v1/destinations/{destination}/")) {
      api.put("/v1/destinations/" + name, "{\"url\":\"https://merchant.example/\"}");
    }
    return name;
  }

  private static String key(String path, String destination) {
    return path.contains("{key}")
        ? api.post("/v1/destinations/" + destination + "/keys", "{}").field("id")
        : "";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/jobs",
        "/v1/jobs/count",
        "/v1/jobs/{id}/attempts",
        "/v1/queues",
        "/v1/schedules",
        "/v1/schedules/{schedule}/fires",
        "/v1/events",
        "/v1/operations",
        "/v1/audit",
        "/v1/dead-letters/groups"
      })
  void the_parameters_that_are_described_are_those_that_are_taken(String path) {
    JsonNode parameters = document.path("paths").path(path).path("get").path("parameters");
    String[] described =
        parameters
            .valueStream()
            .map(schemas::resolve)
            .filter(one -> one.path("in").asString().equals("query"))
            .map(one -> one.path("name").asString())
            .toArray(String[]::new);

    Reply refused =
        api.get(
            path.replace("{id}", ApiServer.UNKNOWN_ID).replace("{schedule}", "s") + "?nonsense=1");

    assertThat(refused.field("detail").replaceAll(".*allowed are |\\.$", "").split(", "))
        .containsExactlyInAnyOrder(described)
        .hasSizeGreaterThan(1);
  }

  @Test
  void what_is_read_is_as_described() throws SQLException {
    Reply job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"timeout\":\"PT1S\"}");

    matches(schema("Job"), api.get(job.header("location")).json(), "job");
    matches(schema("JobList"), api.get("/v1/jobs?limit=1").json(), "list");
    matches(schema("JobCount"), api.get("/v1/jobs/count").json(), "count");
    matches(
        schema("AttemptForecast"),
        api.get(job.header("location") + "/attempts/coming").json(),
        "schedule");
    matches(
        schema("AttemptList"), api.get(job.header("location") + "/attempts").json(), "attempts");
    matches(schema("QueueList"), api.get("/v1/queues").json(), "queues");
    api.post("/v1/queues/audited/pause", "{\"reason\":\"to be read\"}");
    matches(schema("AuditList"), api.get("/v1/audit").json(), "audit");
    DeadLetters.in("q").store(api.config(), 1);
    api.grouped();
    Reply groups = api.get("/v1/dead-letters/groups");
    assertThat(groups.json().path("items").size()).isOne();
    matches(schema("DatabaseHealth"), api.get("/v1/database").json(), "database");
    matches(schema("Forecast"), api.get("/v1/stats/forecast").json(), "forecast");
    matches(schema("QueueWaiting"), api.get("/v1/queues/default/waiting").json(), "waiting");
    matches(schema("QueueRunning"), api.get("/v1/queues/default/running").json(), "running");
    blockedKeysAreAsDescribed();
    matches(schema("ErrorGroupList"), groups.json(), "groups");
    matches(schema("OperationList"), api.get("/v1/operations").json(), "operations");
    matches(
        schema("OperationPreview"),
        api.post(
                "/v1/operations/preview",
                "{\"action\":\"cancel\",\"filter\":{\"queue\":[\"default\"]}}")
            .json(),
        "preview");
    schedulesAreAsDescribed();
    matches(schema("PolicyList"), api.get("/v1/policies").json(), "policies");
    api.set("/v1/kinds/described", "{\"labelsFrom\":{\"order\":\"/order\"}}");
    matches(schema("KindList"), api.get("/v1/kinds").json(), "kinds");
    matches(schema("Problem"), api.get("/v1/jobs?limit=0").json(), "problem");
    api.put(
        "/v1/queues/limited",
        "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}");
    matches(schema("Queue"), api.post("/v1/queues/limited/pause", "").json(), "paused");
    matches(schema("Queue"), api.post("/v1/queues/limited/resume", "").json(), "resumed");
    Reply limiter = api.get("/v1/queues/limited/limiter");
    matches(schema("Limiter"), limiter.json(), "limiter");
    assertThat(limiter.json().size()).as("all but throttledAt").isEqualTo(9);
  }

  private static void blockedKeysAreAsDescribed() throws SQLException {
    UUID last = OrderedJobs.block(api.database(), "keyed", "order-4711", 3).getLast();
    Reply blocked = api.get("/v1/queues/keyed/blocked");
    assertThat(blocked.json().path("items").size()).isOne();
    matches(schema("BlockedKeys"), blocked.json(), "blocked");
    Reply waiting = api.get("/v1/jobs/" + last + "/waiting");
    assertThat(waiting.json().at("/reasons/0/blocker").isString()).isTrue();
    matches(schema("Waiting"), waiting.json(), "waiting");
  }

  private static void schedulesAreAsDescribed() {
    String path = "/v1/schedules/described";
    api.put(
        path,
        """
        {"cron": "0 9 * * *", "timeZone": "Europe/Berlin", "endAt": "2099-01-01T00:00:00Z",
        "exclude": {"weekdays": ["sunday"], "dates": ["2027-01-01"], "yearly": ["--12-25"]},
        "job": {"kind": "a", "payload": 1, "policy": "svix", "uniqueKey": "{date}"}}
        """);
    matches(schema("ScheduleFire"), api.post(path + "/run").json(), "fire");
    matches(schema("ScheduleFireList"), api.get(path + "/fires").json(), "fires");
    matches(schema("SchedulePreview"), api.get(path + "/next").json(), "next");
    matches(schema("NamedSchedule"), api.get(path).json(), "schedule");
    matches(schema("NamedSchedule"), api.post(path + "/pause").json(), "paused schedule");
    matches(schema("NamedScheduleList"), api.get("/v1/schedules?fires=3").json(), "schedules");
  }

  @Test
  void a_duplicate_is_as_described() {
    JsonNode described = schemas.answer(document.path("paths").path("/v1/jobs").path("post"), 200);
    String job = "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"described\"}";
    api.post("/v1/jobs", job);

    Reply duplicate = api.post("/v1/jobs", job);

    assertThat(duplicate.json().path("deduplicated").asBoolean()).isTrue();
    matches(described, duplicate.json(), "duplicate");
  }

  @Test
  void the_check_of_answers_can_fail() {
    JsonNode job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").json();

    assertThat(schemas.violations(schema("Queue"), job)).isNotEmpty();
    assertThat(schemas.violations(schema("Problem"), job)).isNotEmpty();
  }

  @Test
  void every_code_is_listed() {
    JsonNode codes = schema("Problem").path("properties").path("code").path("examples");

    assertThat(codes.valueStream().map(JsonNode::asString))
        .containsExactlyElementsOf(
            Arrays.stream(ProblemCode.values()).map(ProblemCode::word).toList());
  }

  @Test
  void every_reference_leads_somewhere() {
    for (JsonNode reference : document.findValues("$ref")) {
      String place = reference.asString();
      assertThat(document.at(place.substring(1)).isMissingNode()).as(place).isFalse();
    }
  }

  private static JsonNode schema(String name) {
    return schemas.named(name);
  }

  private static void matches(JsonNode schema, JsonNode value, String where) {
    assertThat(schemas.violations(schema, value)).as(where).isEmpty();
  }
}
