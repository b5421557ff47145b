package dev.ebb.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.json.DestinationJson;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues with an address, and the jobs that name them. */
class DestinationsTest {
  private static final String ACME =
      """
      {
        "url": "https://acme.example/notify?token=s3cret",
        "headers": {"Authorization": "Bearer s3cret", "X-Shop": "7"},
        "success": "alipay",
        "classes": [{"statuses": ["4xx"], "effect": "permanent", "reason": "refused"}],
        "timeout": "PT5S",
        "labels": {"merchant": "acme"},
        "policy": "alipay",
        "rateLimit": {"permitsPerSecond": 20},
        "maxConcurrency": 10
      }
      """;
  private static final String PLAIN = "{\"url\":\"https://plain.example/\"}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply delete(String path) {
    return api.send(api.request(path).DELETE());
  }

  private static Reply patch(String name, String patch) {
    return api.send(
        api.request("/v1/destinations/" + name)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", "*")
            .method("PATCH", BodyPublishers.ofString(patch)));
  }

  private static String stored(String name, String field) throws SQLException {
    return api.text(
        "select destination ->> '%s' from ebb.queue where name = '%s'".formatted(field, name));
  }

  /** A header's value as a delivery has it. */
  private static String header(String name, String header) throws SQLException {
    Destination stored =
        requireNonNull(
            DestinationJson.stored(
                api.text("select destination::text from ebb.queue where name = '" + name + "'")));
    return requireNonNull(SecretHeaders.open(name, stored, TestSecrets.BOX).headers().get(header));
  }

  @Test
  void a_destination_is_created_shown_listed_replaced_and_removed() {
    Reply created = api.put("/v1/destinations/acme", ACME);
    Reply blind = api.put("/v1/destinations/acme", PLAIN);
    Reply shown = api.get("/v1/destinations/acme");
    Reply replaced = api.put("/v1/destinations/acme", PLAIN, "If-Match", shown.header("etag"));
    Reply stale = api.put("/v1/destinations/acme", PLAIN, "If-Match", shown.header("etag"));

    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.header("location")).isEqualTo("/v1/destinations/acme");
    assertThat(blind.status()).isEqualTo(428);
    assertThat(shown.json().at("/successName").asString()).isEqualTo("alipay");
    assertThat(shown.json().at("/success/body/equals").asString()).isEqualTo("success");
    assertThat(shown.json().at("/classes/0/reason").asString()).isEqualTo("refused");
    assertThat(shown.json().at("/maxConcurrency").asInt()).isEqualTo(10);
    assertThat(shown.field("version"))
        .matches("[0-9a-f]{12}")
        .isNotEqualTo(replaced.field("version"));
    assertThat(shown.body()).contains("\"X-Shop\":\"7\"").doesNotContain("s3cret");
    assertThat(
            api.get("/v1/destinations?limit=1000").json().path("items").findValuesAsString("name"))
        .contains("acme");
    assertThat(replaced.status()).as(replaced.body()).isEqualTo(200);
    assertThat(replaced.json().path("maxConcurrency").isMissingNode()).isTrue();
    assertThat(stale.status()).isEqualTo(412);
    assertThat(delete("/v1/queues/acme").field("code")).isEqualTo("queue_not_empty");
    assertThat(delete("/v1/destinations/acme").status()).isEqualTo(204);
    assertThat(delete("/v1/destinations/acme").field("code")).isEqualTo("destination_not_found");
    assertThat(api.get("/v1/queues/acme").status()).isEqualTo(404);
  }

  @Test
  void a_queue_becomes_a_destination_and_stays_paused() {
    api.post("/v1/queues/later/pause", "{\"reason\":\"holiday\"}");

    Reply blind = api.put("/v1/destinations/later", PLAIN);
    String tag = api.get("/v1/queues/later").header("etag");
    Reply written = api.put("/v1/destinations/later", PLAIN, "If-Match", tag);

    assertThat(blind.status()).isEqualTo(428);
    assertThat(written.status()).as(written.body()).isEqualTo(200);
    assertThat(written.json().at("/pause/reason").asString()).isEqualTo("holiday");
    assertThat(api.get("/v1/destinations/nothing").field("code"))
        .isEqualTo("destination_not_found");
  }

  @Test
  void a_patch_changes_what_it_names_and_keeps_secrets_for_the_same_receiver_alone()
      throws SQLException {
    api.put("/v1/destinations/patched", ACME);

    Reply path = patch("patched", "{\"url\":\"https://acme.example/v2\",\"timeout\":null}");
    Reply elsewhere = patch("patched", "{\"url\":\"https://evil.example/\"}");
    Reply given =
        patch(
            "patched",
            "{\"url\":\"https://new.example/\",\"headers\":{\"Authorization\":\"Bearer new\"}}");

    assertThat(path.status()).as(path.body()).isEqualTo(200);
    assertThat(path.json().path("timeout").isMissingNode()).isTrue();
    assertThat(path.json().at("/successName").asString()).isEqualTo("alipay");
    assertThat(path.json().at("/rateLimit/permitsPerSecond").asDouble()).isEqualTo(20);
    assertThat(elsewhere.status()).isEqualTo(400);
    assertThat(elsewhere.body()).contains("Authorization again");
    assertThat(given.status()).as(given.body()).isEqualTo(200);
    assertThat(stored("patched", "headers")).contains("sealed", "X-Shop");
    assertThat(header("patched", "Authorization")).isEqualTo("Bearer new");
  }

  @Test
  void a_patch_keeps_replaces_and_removes_the_longest_hold_of_ordering_keys() {
    String hold = "{\"ordering\":{\"maxHold\":\"%s\"}}";
    api.put("/v1/destinations/ordered", PLAIN);

    assertThat(patch("ordered", hold.formatted("PT1H")).json().at("/ordering/maxHold").asString())
        .isEqualTo("PT1H");
    assertThat(patch("ordered", "{\"weight\":2}").json().at("/ordering/maxHold").asString())
        .isEqualTo("PT1H");
    assertThat(patch("ordered", hold.formatted("P31D")).firstPointer())
        .isEqualTo("/ordering/maxHold");
    assertThat(patch("ordered", "{\"ordering\":null}").json().has("ordering")).isFalse();
  }

  @Test
  void a_mask_never_replaces_a_secret() throws SQLException {
    api.put("/v1/destinations/masked", ACME);

    Reply header = patch("masked", "{\"headers\":{\"Authorization\":\"***\"}}");
    Reply url = patch("masked", "{\"url\":\"https://acme.example/v2?token=***\"}");

    assertThat(header.status()).isEqualTo(400);
    assertThat(url.status()).isEqualTo(400);
    assertThat(stored("masked", "url")).endsWith("token=s3cret");
  }

  @Test
  void the_audit_says_what_changed_and_keeps_no_secret() {
    api.put("/v1/destinations/audited", ACME);
    patch("audited", "{\"url\":\"https://acme.example/v2?token=n3w\"}");
    patch("audited", "{\"url\":\"https://acme.example/v2?token=n3wer\"}");

    String entries = api.get("/v1/audit?subject=audited").body();

    assertThat(entries)
        .contains("https://acme.example/v2?token=***", "\"headers\"", "alipay")
        .contains("\"changes\":[{\"field\":\"url\"}]")
        .doesNotContain("s3cret", "n3w");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                        | /url",
        "{\"url\":\"ftp://acme.example/\"}                         | /url",
        "{\"url\":\"https://a.example/\",\"method\":\"GET\"}       | /method",
        "{\"url\":\"https://a.example/\",\"headers\":{\"Host\":\"x\"}} | /headers/Host",
        "{\"url\":\"https://a.example/\",\"success\":\"aliplay\"}  | /success",
        "{\"url\":\"https://a.example/\",\"timeout\":\"PT0S\"}     | /timeout",
        "{\"url\":\"https://a.example/\",\"maxConcurrency\":0}     | /maxConcurrency",
        "{\"url\":\"https://a.example/\",\"paused\":true}          | /paused",
      })
  void what_breaks_a_rule_is_refused_where_it_stands(String body, String pointer) {
    Reply refused = api.put("/v1/destinations/wrong", body);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    assertThat(api.get("/v1/destinations/wrong").status()).isEqualTo(404);
  }

  @Test
  void a_job_names_its_destination_which_is_its_queue() {
    api.put("/v1/destinations/named", PLAIN);
    String job = "{\"kind\":\"http\",\"destination\":\"named\",\"payload\":{\"body\":{\"n\":1}}}";

    Reply submitted = api.post("/v1/jobs", job);

    assertThat(submitted.status()).as(submitted.body()).isEqualTo(201);
    assertThat(submitted.field("queue")).isEqualTo("named");
    assertThat(submitted.field("destination")).isEqualTo("named");
    assertThat(api.get("/v1/jobs/" + submitted.field("id")).field("subject")).isEqualTo("named");
    assertThat(delete("/v1/destinations/named").field("code")).isEqualTo("queue_not_empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"kind\":\"http\",\"destination\":\"none\",\"payload\":{}             | /payload/url",
        "\"kind\":\"http\",\"payload\":{\"body\":1}                            | /payload/url",
        "\"kind\":\"http\",\"destination\":\"No\",\"payload\":{}               | /queue",
        "\"kind\":\"http\",\"destination\":\"a\",\"queue\":\"b\",\"payload\":{} | /queue",
        "\"kind\":\"a\",\"destination\":\"a\",\"payload\":{}                   | /destination",
        "\"kind\":\"http\",\"destination\":\"a\",\"payload\":{\"url\":\"http://m.example\"}"
            + " | /payload/url",
      })
  void a_job_that_could_go_nowhere_is_refused(String fields, String pointer) {
    Reply refused = api.post("/v1/jobs", "{" + fields + "}");
    Reply batch = api.post("/v1/jobs/batch", "{\"jobs\":[{" + fields + "}]}");
    Reply parts = api.post("/v1/jobs/batch", "{\"atomic\":false,\"jobs\":[{" + fields + "}]}");

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    assertThat(batch.json().at("/errors/0/pointer").asString()).isEqualTo("/jobs/0" + pointer);
    assertThat(parts.json().at("/items/0/problem/errors/0/pointer").asString())
        .as(parts.body())
        .isEqualTo("/jobs/0" + pointer);
  }

  @Test
  void a_schedules_job_needs_a_destination_that_is_there() {
    String schedule =
        "{\"every\":\"PT1H\",\"job\":{\"kind\":\"http\",\"destination\":\"%s\",\"payload\":{}}}";
    api.put("/v1/destinations/hourly", PLAIN);

    assertThat(api.put("/v1/schedules/good", schedule.formatted("hourly")).status()).isEqualTo(201);
    assertThat(api.put("/v1/schedules/bad", schedule.formatted("gone")).status()).isEqualTo(400);
  }

  @Test
  void a_test_is_a_job_of_one_attempt_before_the_others() throws SQLException {
    api.put("/v1/destinations/tried", PLAIN);

    Reply usual = api.post("/v1/destinations/tried/test", "{}");
    Reply own = api.post("/v1/destinations/tried/test", "{\"body\":{\"order\":7.00}}");

    assertThat(usual.status()).as(usual.body()).isEqualTo(201);
    assertThat(usual.header("location")).isEqualTo("/v1/jobs/" + usual.field("id"));
    assertThat(usual.json().path("maxAttempts").asInt()).isEqualTo(1);
    assertThat(usual.json().path("priority").asInt()).isZero();
    assertThat(usual.body()).contains("ebb.test", "\"labels\":{\"test\":\"true\"}");
    assertThat(api.text("select payload from ebb.job where id = '" + own.field("id") + "'"))
        .isEqualTo("{\"body\":{\"order\":7.00}}");
    assertThat(api.post("/v1/destinations/nothing/test", "{}").field("code"))
        .isEqualTo("destination_not_found");
  }

  @Test
  void a_secret_of_a_payload_goes_to_no_other_destination() {
    api.put("/v1/destinations/one", PLAIN);
    api.put("/v1/destinations/two", PLAIN);
    String job =
        "{\"kind\":\"http\",\"destination\":\"one\",\"payload\":"
            + "{\"headers\":{\"Authorization\":\"s3cret\"}}}";
    String id = api.post("/v1/jobs", job).field("id");

    for (String clone :
        List.of("\"queue\":\"two\"", "\"queue\":\"two\",\"payload\":{\"body\":1}")) {
      Reply refused = api.post("/v1/jobs/" + id + "/clone", "{" + clone + "}");
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.body()).contains("Authorization again");
    }
    assertThat(api.post("/v1/jobs/" + id + "/clone", "{}").status()).isEqualTo(201);
  }

  @Test
  void a_secret_of_a_schedule_goes_to_no_other_destination() {
    api.put("/v1/destinations/three", PLAIN);
    api.put("/v1/destinations/four", PLAIN);
    String schedule =
        "{\"every\":\"PT1H\",\"job\":{\"kind\":\"http\",\"destination\":\"%s\",\"payload\":"
            + "{\"headers\":{\"Authorization\":\"%s\"}}}}";
    api.put("/v1/schedules/moved", schedule.formatted("three", "s3cret"));

    Reply same =
        api.put("/v1/schedules/moved", schedule.formatted("three", "***"), "If-Match", "*");
    Reply moved =
        api.put("/v1/schedules/moved", schedule.formatted("four", "***"), "If-Match", "*");

    assertThat(same.status()).as(same.body()).isEqualTo(200);
    assertThat(moved.status()).as(moved.body()).isEqualTo(400);
  }

  @Test
  void a_header_is_removed_whatever_the_case_of_its_name() throws SQLException {
    api.put("/v1/destinations/cased", ACME);

    Reply removed = patch("cased", "{\"headers\":{\"authorization\":null,\"x-shop\":\"8\"}}");

    assertThat(removed.status()).as(removed.body()).isEqualTo(200);
    assertThat(stored("cased", "headers")).contains("8").doesNotContainIgnoringCase("auth");
  }

  @Test
  void settings_of_the_queue_leave_the_address_to_the_byte() throws SQLException {
    api.put("/v1/destinations/newer", PLAIN);
    api.execute(
        "update ebb.queue set destination = destination || '{\"later\":1}' where name = 'newer'");

    Reply put = api.put("/v1/queues/newer", "{\"paused\":false}", "If-Match", "*");

    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(stored("newer", "later")).isEqualTo("1");
  }
}
