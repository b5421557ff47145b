package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The schedules, over REST. */
class SchedulesTest {
  private static final String DAILY =
      """
      {"cron": "0 9 * * 1-5", "timeZone": "America/Sao_Paulo",
      "exclude": {"dates": ["2027-02-08"], "yearly": ["--12-25"]},
      "job": {"kind": "report", "queue": "reports", "payload": {"of": "balances"},
      "uniqueKey": "report-{date}", "labels": {"team": "finance"}}}
      """;
  private static final String PLAIN =
      """
      {"every": "PT15M", "job": {"kind": "report", "payload": 1}}
      """;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply delete(String path, String... headers) {
    HttpRequest.Builder request = api.request(path).DELETE();
    return api.send(headers.length == 0 ? request : request.headers(headers));
  }

  private static String made(String name, String body) {
    Reply reply = api.put("/v1/schedules/" + name, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return "/v1/schedules/" + name;
  }

  @Test
  void a_schedule_is_created_shown_listed_replaced_and_removed() {
    Reply made = api.put("/v1/schedules/settlement-report", DAILY);
    String path = made.header("location");
    JsonNode shown = api.get(path).json();

    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(path).isEqualTo("/v1/schedules/settlement-report");
    assertThat(shown).isEqualTo(made.json());
    assertThat(shown.path("cron").asString()).isEqualTo("0 9 * * 1-5");
    assertThat(shown.path("words").asString()).contains("09:00");
    assertThat(shown.at("/job/payload").toString()).isEqualTo("{\"of\":\"balances\"}");
    assertThat(shown.path("misfire").asString()).isEqualTo("once");
    assertThat(shown.path("overlap").asString()).isEqualTo("allow");
    assertThat(shown.path("nextFireAt").asString()).matches(".*T12:00:00Z");
    assertThat(shown.has("lastFire")).isFalse();

    Reply replaced = api.set(path, PLAIN);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.json().path("every").asString()).isEqualTo("PT15M");
    assertThat(replaced.json().path("words").asString()).isEqualTo("Every 15 minutes");
    assertThat(replaced.json().has("cron")).isFalse();
    assertThat(replaced.json().has("exclude")).as("what is left out is not kept").isFalse();
    JsonNode list = api.get("/v1/schedules").json();
    assertThat(list.path("items").findValuesAsString("name")).contains("settlement-report");
    assertThat(list.at("/items/0/job").has("payload")).isFalse();

    assertThat(delete(path).status()).isEqualTo(204);
    assertThat(delete(path).field("code")).isEqualTo("schedule_not_found");
    assertThat(api.get(path).status()).isEqualTo(404);
  }

  @Test
  void who_replaces_or_removes_a_schedule_says_which() {
    String path = made("conditions", PLAIN);
    String tag = api.get(path).header("etag");

    assertThat(api.put(path, DAILY).status()).isEqualTo(428);
    assertThat(api.put(path, DAILY, "If-None-Match", "*").status()).isEqualTo(412);
    assertThat(api.put(path, DAILY, "If-Match", "\"1\"").status()).isEqualTo(412);
    assertThat(api.get(path).header("etag")).as("nothing was stored").isEqualTo(tag);
    assertThat(api.put(path, DAILY, "If-Match", tag).status()).isEqualTo(200);
    assertThat(api.put(path, PLAIN, "If-Match", tag).status()).isEqualTo(412);
    assertThat(delete(path, "If-Match", tag).status()).isEqualTo(412);
    assertThat(delete(path, "If-Match", api.get(path).header("etag")).status()).isEqualTo(204);
    assertThat(api.put(path, PLAIN, "If-Match", "*").status()).as("there is none").isEqualTo(412);
  }

  @Test
  void a_fire_does_not_outdate_the_tag_and_another_schedule_of_the_name_does() {
    String path = made("fired", PLAIN);
    String tag = api.get(path).header("etag");
    api.post(path + "/run");

    Reply now = api.send(api.request(path).header("If-None-Match", tag).GET());
    assertThat(now.status()).as("the answer is another").isEqualTo(200);
    assertThat(api.put(path, DAILY, "If-Match", tag).status()).isEqualTo(200);

    delete(path);
    made("fired", PLAIN);
    assertThat(api.put(path, DAILY, "If-Match", tag).status()).isEqualTo(412);
  }

  @Test
  void a_paused_schedule_says_who_paused_it_first_and_fires_again_when_resumed() {
    String path = made("paused", PLAIN);

    Reply paused = api.post(path + "/pause", "{\"reason\":\"a holiday\"}");
    Reply again = api.post(path + "/pause", "{\"reason\":\"another\"}");

    assertThat(paused.json().path("paused").asBoolean()).isTrue();
    assertThat(paused.json().at("/pause/reason").asString()).isEqualTo("a holiday");
    assertThat(paused.json().has("nextFireAt")).isFalse();
    assertThat(again.json().path("pause")).isEqualTo(paused.json().path("pause"));
    assertThat(api.set(path, DAILY).json().path("paused").asBoolean()).isTrue();
    assertThat(api.get(path + "/next").json().path("fires").size()).isEqualTo(10);

    Reply resumed = api.post(path + "/resume");
    assertThat(resumed.json().path("paused").asBoolean(true)).isFalse();
    assertThat(resumed.json().has("nextFireAt")).isTrue();
    assertThat(api.post("/v1/schedules/none/pause").status()).isEqualTo(404);
    assertThat(api.post("/v1/schedules/none/resume").status()).isEqualTo(404);
  }

  @Test
  void a_run_by_hand_makes_the_job_with_the_labels_of_a_fire() {
    String path = made("by-hand", DAILY);
    api.post(path + "/pause");

    Reply run = api.post(path + "/run", "{\"reason\":\"the bank asks\"}");

    assertThat(run.status()).as(run.body()).isEqualTo(200);
    assertThat(run.field("result")).isEqualTo("submitted");
    assertThat(run.json().path("byHand").asBoolean()).isTrue();
    JsonNode job = api.get(run.field("job")).json();
    assertThat(job.path("id").asString()).isEqualTo(run.field("jobId"));
    assertThat(job.at("/labels/schedule").asString()).isEqualTo("by-hand");
    assertThat(job.at("/labels/fireAt").asString()).isNotEmpty();
    assertThat(job.at("/labels/team").asString()).isEqualTo("finance");
    assertThat(job.path("queue").asString()).isEqualTo("reports");
    assertThat(job.path("uniqueKey").asString()).matches("report-\\d{4}-\\d{2}-\\d{2}");
    assertThat(api.get("/v1/jobs?label=schedule=by-hand").json().path("items").size()).isOne();
    assertThat(api.post("/v1/schedules/none/run").status()).isEqualTo(404);
  }

  @Test
  void a_run_by_hand_is_refused_while_overlap_allows_no_other_job() {
    String path = made("one-at-a-time", PLAIN.replace("}}", "},\"overlap\":\"skip\"}"));
    Reply first = api.post(path + "/run");

    Reply second = api.post(path + "/run");

    assertThat(second.status()).as(second.body()).isEqualTo(409);
    assertThat(second.field("code")).isEqualTo("wrong_state");
    api.post(first.field("job") + "/cancel");
    assertThat(api.post(path + "/run").field("result")).isEqualTo("submitted");
  }

  @Test
  void the_fires_are_listed_newest_first_with_what_became_of_their_jobs() {
    String path = made("listed", PLAIN);
    String first = api.post(path + "/run").field("job");
    String second = api.post(path + "/run").field("job");
    api.post(first + "/cancel");

    JsonNode page = api.get(path + "/fires?limit=1").json();
    JsonNode rest =
        api.get(path + "/fires?limit=1&cursor=" + page.path("nextCursor").asString()).json();
    JsonNode listed = api.get("/v1/schedules?fires=5").json().path("items");

    assertThat(page.at("/items/0/job").asString()).isEqualTo(second);
    assertThat(page.at("/items/0/jobState").asString()).isEqualTo("available");
    assertThat(rest.at("/items/0/job").asString()).isEqualTo(first);
    assertThat(rest.at("/items/0/jobState").asString()).isEqualTo("cancelled");
    assertThat(api.get(path).json().at("/lastFire/job").asString()).isEqualTo(second);
    for (JsonNode one : listed) {
      if (one.path("name").asString().equals("listed")) {
        assertThat(one.path("fires").findValuesAsString("job")).containsExactly(second, first);
      }
    }
    assertThat(api.get(path + "/fires?cursor=x").field("code")).isEqualTo("invalid_cursor");
  }

  @Test
  void the_next_fires_and_a_preview_mark_what_the_clocks_do() {
    Reply preview =
        api.post(
            "/v1/schedules/preview",
            """
            {"cron": "30 2 * * *", "timeZone": "Europe/Berlin", "from": "2027-03-27T12:00:00Z",
            "count": 2}
            """);
    Reply autumn =
        api.post(
            "/v1/schedules/preview",
            """
            {"cron": "0 30 2 * * ?", "timeZone": "Europe/Berlin", "from": "2027-10-30T12:00:00Z",
            "count": 1}
            """);

    assertThat(preview.json().path("syntax").asString()).isEqualTo("unix");
    assertThat(preview.json().path("timeZone").asString()).isEqualTo("Europe/Berlin");
    assertThat(preview.json().path("fires").size()).isEqualTo(2);
    assertThat(preview.json().at("/fires/0").toString())
        .isEqualTo(
            "{\"at\":\"2027-03-28T01:00:00Z\",\"local\":\"2027-03-28T03:00:00\","
                + "\"offset\":\"+02:00\",\"shift\":\"gap\"}");
    assertThat(preview.json().at("/fires/1/shift").asString()).isEqualTo("none");
    assertThat(autumn.json().path("syntax").asString()).isEqualTo("quartz");
    assertThat(autumn.json().at("/fires/0/at").asString()).isEqualTo("2027-10-31T00:30:00Z");
    assertThat(autumn.json().at("/fires/0/shift").asString()).isEqualTo("overlap");

    Reply kept =
        api.post(
            "/v1/schedules/preview",
            """
            {"every": "PT24H", "origin": "2026-01-01T08:07:06Z", "from": "2027-03-27T12:00:00Z",
            "count": 1}
            """);
    assertThat(kept.json().at("/fires/0/at").asString()).isEqualTo("2027-03-28T08:07:06Z");

    String path = made("next", PLAIN);
    JsonNode next = api.get(path + "/next?count=3").json();
    assertThat(next.path("syntax").asString()).isEqualTo("interval");
    assertThat(next.path("fires").size()).isEqualTo(3);
    assertThat(next.at("/fires/0/at").asString())
        .isEqualTo(api.get(path).json().path("nextFireAt").asString());
  }

  @Test
  void a_policy_that_the_job_names_is_a_copy() {
    String policy = "{\"policy\":{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT9S\"}}";
    api.put("/v1/policies/copied", policy);
    String path =
        made("copying", PLAIN.replace("\"payload\": 1", "\"payload\": 1, \"policy\": \"copied\""));

    api.set("/v1/policies/copied", policy.replace("PT9S", "PT8S"));

    assertThat(api.get(path).json().at("/job/policy/cap").asString()).isEqualTo("PT9S");
    assertThat(delete("/v1/policies/copied").status()).isEqualTo(204);
  }
}
