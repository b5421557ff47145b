package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.ui.UiServer.Answer;
import java.lang.reflect.RecordComponent;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** No field of a job is dropped on a way that jobs take. */
class JobFieldsTest {
  /** All but the trace, which stands in a header, and which no copy has. */
  private static final List<String> FIELDS =
      Arrays.stream(NewJob.class.getRecordComponents())
          .map(RecordComponent::getName)
          .filter(field -> !field.equals("traceparent"))
          .toList();

  /** For each field a value other than its default, as bodies give it. */
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("kind", "\"walked\""),
          Map.entry("queue", "\"long-way\""),
          Map.entry("payload", "{\"n\": 1.50}"),
          Map.entry("runAt", "\"2100-01-01T00:00:00Z\""),
          Map.entry("delay", "\"PT1H\""),
          Map.entry("priority", "2"),
          Map.entry("maxAttempts", "7"),
          Map.entry("policy", "{\"jitter\": \"none\", \"base\": \"PT2S\", \"cap\": \"PT1M\"}"),
          Map.entry("uniqueKey", "\"only-one\""),
          Map.entry("orderingKey", "\"order-9981\""),
          Map.entry("timeout", "\"PT42S\""),
          Map.entry("labels", "{\"merchant\": \"acme\"}"),
          Map.entry("then", "{\"completed\": {\"kind\": \"next\", \"payload\": 1}}"));

  /** A body has one of the two. */
  private static final Predicate<String> NO_DELAY = field -> !field.equals("delay");

  /** Nothing follows it. */
  private static final Predicate<String> OF_SCHEDULES =
      NO_DELAY.and(field -> !field.equals("runAt") && !field.equals("then"));

  /** A copy is due at once, no duplicate, and nothing follows it. */
  private static final Predicate<String> OF_COPIES =
      OF_SCHEDULES.and(field -> !field.equals("uniqueKey"));

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void freeTheUniqueKey() {
    server.execute("delete from ebb.job");
  }

  private static String body(Predicate<String> fields) {
    return FIELDS.stream()
        .filter(fields)
        .map(field -> "\"%s\": %s".formatted(field, VALUES.get(field)))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static JsonNode value(String field) {
    return JsonMapper.shared().readTree(VALUES.get(field));
  }

  private static JsonNode job(String id) {
    return json(server.get("/v1/jobs/" + id));
  }

  private static JsonNode json(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
    return answer.json();
  }

  private static String plain() {
    return server.submit("{\"kind\": \"plain\", \"payload\": 0}");
  }

  private static void assertHas(JsonNode job, Predicate<String> fields) {
    assertThat(FIELDS.stream().filter(fields).filter(field -> !has(job, field)))
        .as("fields that were dropped")
        .isEmpty();
  }

  /** Answers say more of an object than its sender: a fire's labels, a policy's defaults. */
  private static boolean has(JsonNode job, String field) {
    JsonNode there = job.path(field);
    JsonNode value = value(field);
    if (field.equals("then")) {
      // Answers leave its payload out.
      return value.at("/completed/kind").equals(there.at("/completed/kind"));
    }
    return value.isObject()
        ? value.properties().stream()
            .allMatch(one -> one.getValue().equals(there.path(one.getKey())))
        : value.equals(there);
  }

  @Test
  void each_field_has_a_value_that_is_not_its_default() {
    assertThat(VALUES).containsOnlyKeys(FIELDS);
    JsonNode plain = job(plain());

    assertThat(FIELDS).noneMatch(field -> has(plain, field));
  }

  @Test
  void a_schedule_keeps_them_and_hands_them_to_each_job() {
    Answer put =
        server.put(
            "/v1/schedules/walk",
            "{\"every\": \"PT1H\", \"job\": %s}".formatted(body(OF_SCHEDULES)));
    assertHas(json(put).path("job"), OF_SCHEDULES);
    assertHas(json(server.get("/v1/schedules/walk")).path("job"), OF_SCHEDULES);

    Answer run = server.post("/v1/schedules/walk/run", "{}");

    assertHas(job(json(run).path("jobId").asString()), OF_SCHEDULES);
  }

  @Test
  void the_audit_names_each_that_a_change_of_a_schedule_changes() {
    String every = "{\"every\": \"PT1H\", \"job\": %s}";
    json(
        server.put("/v1/schedules/told", every.formatted("{\"kind\": \"plain\", \"payload\": 0}")));
    String tag = server.get("/v1/schedules/told").header("ETag");

    json(server.put("/v1/schedules/told", every.formatted(body(OF_SCHEDULES)), "If-Match", tag));

    JsonNode last =
        json(server.get("/v1/audit?subject=told&limit=1")).path("items").path(0).path("changes");
    assertThat(last.valueStream().map(one -> one.path("field").asString()))
        .containsExactlyInAnyOrderElementsOf(
            FIELDS.stream().filter(OF_SCHEDULES).map(field -> "job." + field).toList());
  }

  private static JsonNode patched(String id, String body) {
    return json(
        server.send(
            server
                .request("/v1/jobs/" + id)
                .header("If-Match", server.get("/v1/jobs/" + id).header("ETag"))
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString(body))));
  }

  @Test
  void a_patch_leaves_those_that_it_does_not_name() {
    String id = server.submit(body(NO_DELAY));

    patched(id, "{\"reason\": \"none\"}");

    assertHas(job(id), NO_DELAY);
  }

  @Test
  void a_patch_changes_all_that_do_not_tell_which_job_it_is() {
    List<String> fixed = List.of("kind", "queue", "uniqueKey", "orderingKey", "then");
    Predicate<String> changeable = NO_DELAY.and(field -> !fixed.contains(field));

    assertHas(patched(plain(), body(changeable)), changeable);
  }

  private static JsonNode clone(String id, String body) {
    return json(server.post("/v1/jobs/" + id + "/clone", body));
  }

  @Test
  void a_clone_has_them() {
    assertHas(clone(server.submit(body(NO_DELAY)), "{}"), OF_COPIES);
  }

  @Test
  void a_clone_may_have_others() {
    String plain = plain();
    JsonNode clone = clone(plain, body(NO_DELAY.and(field -> !field.equals("kind"))));

    assertHas(clone, NO_DELAY.and(field -> !field.equals("kind")));
    assertThat(
            clone(plain, "{\"delay\": %s}".formatted(VALUES.get("delay"))).get("phase").asString())
        .isEqualTo("scheduled");
  }

  @Test
  void a_dry_run_reads_each_as_a_submit_does() {
    JsonNode shown = json(server.post("/v1/jobs/preview", body(NO_DELAY)));
    assertHas(shown, List.of("policy", "maxAttempts")::contains);

    for (String field : FIELDS) {
      String others = body(NO_DELAY.and(one -> !one.equals(field)));
      // Any JSON may be a payload, but none may not.
      String body =
          field.equals("payload")
              ? others
              : "{\"%s\": [[]], %s".formatted(field, others.substring(1));
      Answer dry = server.post("/v1/jobs/preview", body);
      assertThat(dry.status()).as(field).isBetween(400, 499);
      assertThat(dry.json().at("/errors/0/pointer").asString()).isEqualTo("/" + field);
      assertThat(dry.json().path("errors"))
          .isEqualTo(server.post("/v1/jobs", body).json().path("errors"));
    }
  }

  @Test
  void the_command_of_a_page_has_them() throws Exception {
    String page = server.get("/ui/jobs/" + server.submit(body(NO_DELAY))).body();
    String body = JobCurlTest.arguments(JobCurlTest.command(page)).getLast();

    assertHas(job(server.submit(body)), OF_COPIES);
  }
}
