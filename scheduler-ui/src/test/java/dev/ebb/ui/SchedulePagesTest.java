package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages of schedules, over the API. */
class SchedulePagesTest {
  private static final String NIGHTLY =
      """
      {"cron": "30 2 * * *", "timeZone": "Europe/Berlin", "startAt": "2098-03-25T00:00:00Z",
      "exclude": {"weekdays": ["tuesday"], "dates": ["2098-04-02"], "yearly": ["--12-25"]},
      "misfire": "all", "mostMisfires": 7, "overlap": "queue",
      "job": {"kind": "report", "queue": "reports", "payload": {"n": 1.50},
      "labels": {"team": "finance"}, "uniqueKey": "report-{date}", "timeout": "PT30S",
      "policy": {"jitter": "none", "base": "PT1M", "cap": "PT1H", "maxAttempts": 3}}}
      """;

  private UiServer server = UiServer.open();

  @AfterEach
  void stop() {
    server.close();
  }

  private String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private void put(String name, String json) {
    Answer put = server.put("/v1/schedules/" + name, json);
    assertThat(put.status()).as(put.body()).isEqualTo(201);
  }

  private void fire(String name, String result, String more) {
    server.execute(
        """
        insert into ebb.schedule_fire (schedule, fire_at, fired_at, result, %s)
        select '%s', now() - count(*) * interval '1 minute', now(), '%s', %s
        from ebb.schedule_fire
        """
            .formatted(more.split("=", 2)[0], name, result, more.split("=", 2)[1]));
  }

  @Test
  void without_a_schedule_the_list_says_how_there_will_be_one() {
    assertThat(page("/ui/schedules"))
        .contains("No schedules yet", "curl -X PUT", "/ui/new-schedule")
        .doesNotContain("<table");
    assertThat(server.get("/ui/schedules/none").status()).isEqualTo(404);
    assertThat(server.get("/ui/schedules/none/edit").status()).isEqualTo(404);
    assertThat(server.get("/ui/schedules/No").status()).isEqualTo(400);
  }

  @Test
  void the_list_tells_each_schedule_in_words_before_its_expression() {
    put("nightly", NIGHTLY);
    put("often", "{\"every\":\"PT15M\",\"job\":{\"kind\":\"report\",\"payload\":1}}");
    server.post("/v1/schedules/often/pause", "{\"reason\":\"a holiday\"}");

    assertThat(page("/ui/schedules"))
        .containsSubsequence(
            "At 02:30 every day", "<code>30 2 * * *</code> Europe/Berlin", "Every 15 minutes")
        .contains("none yet", "paused", "<q>a holiday</q>", "resume-often", "pause-nightly");
  }

  @Test
  void the_page_shows_the_next_fires_by_the_clocks_of_the_zone_and_what_those_do() {
    put("nightly", NIGHTLY);

    String page = page("/ui/schedules/nightly");

    assertThat(page)
        .contains("In Europe/Berlin", "Sun 2098-03-30 03:00", "+02:00")
        .contains("title=\"2098-03-30 01:00:00 UTC\"")
        .contains("clocks go forward: fires at the first valid time")
        .contains("on Tuesday", "on 2098-04-02", "every year on 25 December")
        .contains("submit a job each, for the latest 7", "wait until it has ended")
        .contains("q=label%3Aschedule%3Dnightly")
        .doesNotContain("Tue 2098-04-01", "2098-04-02 02:30");
  }

  @Test
  void a_strip_and_its_table_tell_what_became_of_the_last_runs() {
    put("nightly", NIGHTLY);
    fire("nightly", "submitted", "job_id=uuidv7()");
    fire("nightly", "misfired", "missed=3");
    fire("nightly", "refused", "error='the queue is locked'");
    fire("nightly", "overlapped", "node='n1'");
    String job = server.post("/v1/schedules/nightly/run", "").field("jobId");

    String page = page("/ui/schedules/nightly");

    assertThat(page)
        .contains(
            "Last 5 runs: 1 waiting, 1 job submitted, 1 missed, 1 not stored, 1 skipped, overlap")
        .contains("and 3 missed before it", "the queue is locked", "by hand", "/ui/jobs/" + job)
        .contains("<svg class=\"chart runs\"");
    server.post("/v1/jobs/" + job + "/cancel", "");
    assertThat(page("/ui/schedules/nightly")).contains("1 cancelled, 1 job submitted");
    assertThat(page("/ui/schedules"))
        .contains("Last 5 runs: 1 cancelled", "<span class=\"state misfired\">4</span>");
    assertThat(page("/ui/jobs/" + job)).contains("<dt>Schedule</dt>", "/ui/schedules/nightly");
  }

  @Test
  void the_form_has_what_is_set_and_the_tag_that_a_change_needs() {
    put("nightly", NIGHTLY);

    String page = page("/ui/schedules/nightly/edit");

    assertThat(page)
        .contains("name=\"cron\" value=\"30 2 * * *\"", "value=\"Europe/Berlin\"")
        .contains("value=\"tuesday\" checked", "2098-04-02", "--12-25", "team=finance")
        .contains("name=\"job.timeout\" data-type=\"length\" value=\"30s\"", "1.50")
        .contains("<option value=\"all\" selected>", "<option value=\"queue\" selected>")
        .contains("data-api=\"PUT /v1/schedules/nightly\"", "At 02:30 every day");
    String tag = page.replaceAll("(?s).*data-match=\"([^\"]*)\".*", "$1").replaceAll("&#34;", "\"");
    assertThat(server.put("/v1/schedules/nightly", NIGHTLY, "If-Match", tag).status())
        .isEqualTo(200);
    assertThat(page("/ui/new-schedule"))
        .contains("data-path=\"schedule\"", "At 09:00 on Monday to Friday", "America/Sao_Paulo");
  }

  @Test
  void the_page_and_the_form_have_what_follows_each_job() {
    put(
        "followed",
        """
        {"every": "PT1H", "job": {"kind": "ask", "payload": 1, "then":
          {"deadLetter": {"kind": "cancel", "queue": "orders", "payload": {"n": 1.50}}}}}
        """);

    assertThat(page("/ui/schedules/followed")).contains("Once a dead letter", "cancel in orders");
    assertThat(page("/ui/schedules/followed/edit"))
        .containsPattern(
            "(?s)name=\"job.then\" data-type=\"json\"[^>]*>[^<]*deadLetter[^<]*1\\.50");
  }

  @Test
  void the_form_has_the_fields_of_a_policy_and_no_json_of_it() {
    put("nightly", NIGHTLY);

    assertThat(page("/ui/schedules/nightly/edit"))
        .containsPattern("name=\"job.policy.base\"[^>]* value=\"1m\"")
        .containsPattern("name=\"job.policy.maxAttempts\"[^>]* value=\"3\"")
        .containsPattern("(?s)name=\"job.policy.jitter\".*<option selected>none<")
        .containsPattern("<details class=\"fold\" open>\\s*<summary>Its own policy")
        .containsPattern("name=\"job.policy\" value=\"\"")
        .contains("data-rule=\"/job/policy\"")
        .doesNotContain("or JSON", "PT1M", "data-type=\"policy\"");
    assertThat(page("/ui/new-schedule"))
        .containsPattern("<details class=\"fold\">\\s*<summary>Its own policy");
  }

  @Test
  void a_preview_without_script_keeps_the_policy_that_was_typed() {
    Answer preview =
        server.form(
            "/ui/new-schedule", "every", "90m", "job.policy.cap", "9s", "job.policy", "fast");

    assertThat(preview.body())
        .containsPattern("name=\"job.policy.cap\"[^>]* value=\"9s\"")
        .containsPattern("name=\"job.policy\" value=\"fast\"");
  }

  @Test
  void a_preview_tells_the_times_or_the_rule_beside_its_field() {
    Answer good =
        server.form(
            "/ui/schedule-preview", "cron", "0 0 9 ? * MON", "timeZone", "Asia/Tokyo", "x", "1");
    Answer every = server.form("/ui/schedule-preview", "every", "90m");
    Answer bad =
        server.form("/ui/schedule-preview", "cron", "0 9 30 2 *", "timeZone", "Asia/Tokyo");
    Answer zone =
        server.form("/ui/schedule-preview", "cron", "0 9 * * *", "timeZone", "Asia/Tokio");

    assertThat(good.body())
        .contains("At 09:00 on Monday", "Read as Quartz cron", "In Asia/Tokyo", "09:00")
        .contains(
            "id=\"rule-cron\" data-rule=\"/cron\" role=\"status\" hx-swap-oob=\"true\"></span>")
        .doesNotContain("<html");
    assertThat(every.body()).contains("Every 90 minutes");
    assertThat(bad.body())
        .containsPattern("id=\"rule-cron\"[^>]*>must name a date that exists")
        .contains("No preview");
    assertThat(zone.body()).containsPattern("id=\"rule-timeZone\"[^>]*>must be .*Asia/Tokyo");
  }

  @Test
  void a_preview_of_an_interval_that_stays_goes_on_from_its_own_beginning() throws Exception {
    put("daily", "{\"every\":\"PT24H\",\"job\":{\"kind\":\"echo\",\"payload\":{}}}");
    server.execute(
        """
        update ebb.schedule
        set origin = '2026-01-01T08:07:06Z', next_fire_at = '2100-01-01T08:07:06Z'
        where name = 'daily'
        """);

    assertThat(page("/ui/schedules/daily/edit")).contains("08:07:06");
    assertThat(server.form("/ui/schedules/daily/preview", "every", "24h").body())
        .contains("08:07:06");
    assertThat(server.form("/ui/schedules/daily/preview", "every", "23h").body())
        .contains("Every 23 hours")
        .doesNotContain("08:07:06");
  }

  @Test
  void without_script_the_form_comes_back_with_what_was_typed_and_its_preview() {
    Answer answer =
        server.form(
            "/ui/new-schedule",
            "name",
            "weekly",
            "cron",
            "0 9 * * 8",
            "exclude.weekdays",
            "sunday",
            "job.payload",
            "{\"a\":1}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .contains("value=\"weekly\"", "value=\"0 9 * * 8\"", "{\"a\":1}")
        .contains("value=\"sunday\" checked")
        .containsPattern("id=\"rule-cron\"[^>]*>has 8 as day of week");
  }

  @Test
  void schedules_are_suggested_as_labels_and_downloaded_as_a_table() {
    put("nightly", NIGHTLY);

    assertThat(server.get("/ui/suggestions").json().at("/values/label/0").asString())
        .isEqualTo("schedule=nightly");
    assertThat(server.get("/ui/schedules.csv").body())
        .startsWith("name,cron,every,words,timeZone")
        .contains("\nnightly,30 2 * * *,,At 02:30 every day,Europe/Berlin,2098-03-25T00:00:00Z");
    assertThat(server.get("/ui/schedules.json").json().at("/items/0"))
        .isEqualTo(server.get("/v1/schedules").json().at("/items/0"));
  }

  @Test
  void a_viewer_reads_and_changes_nothing() {
    server.close();
    server = UiServer.closed();
    String admin = UiServer.ADMIN;
    server.send(
        server
            .request("/v1/schedules/nightly")
            .header("Authorization", "Bearer " + admin)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(NIGHTLY)));
    String viewer = server.token("vera", Role.VIEWER).text();
    String operator = server.token("otto", Role.OPERATOR).text();

    for (String path : List.of("/ui/schedules", "/ui/schedules/nightly")) {
      assertThat(server.get(path, admin).body()).contains("POST /v1/schedules/nightly/run");
      assertThat(server.get(path, operator).body())
          .contains("POST /v1/schedules/nightly/run")
          .doesNotContain("DELETE /v1", "nightly/edit", "/ui/new-schedule");
      Answer seen = server.get(path, viewer);
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body())
          .contains("At 02:30 every day")
          .doesNotContain("data-api", "<dialog", "/edit", "1.50");
    }
    for (String path : List.of("/ui/new-schedule", "/ui/schedules/nightly/edit")) {
      assertThat(server.get(path, viewer).body())
          .contains("That needs the scopes queues:admin and jobs:submit")
          .doesNotContain("data-api");
    }
    assertThat(server.post("/v1/schedules/nightly/run", "{}", viewer).status()).isEqualTo(403);
    assertThat(server.get("/ui/schedules").status()).isEqualTo(303);
  }
}
