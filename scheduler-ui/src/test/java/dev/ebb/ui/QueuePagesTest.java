package dev.ebb.ui;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.OrderedJobs;
import dev.ebb.ui.UiServer.Answer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages of queues, over the API. */
class QueuePagesTest {
  private static final String LIMITED =
      "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":20,\"warmUp\":\"PT60S\","
          + "\"coldFactor\":4},\"maxConcurrency\":7}";

  private UiServer server = UiServer.open();

  @AfterEach
  void stop() {
    server.close();
  }

  private String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  private Answer put(String queue, String json, String... headers) {
    return server.put("/v1/queues/" + queue, json, headers);
  }

  @Test
  void without_a_queue_the_list_says_how_there_will_be_one() {
    assertThat(page("/ui/queues"))
        .contains("No queues yet", "curl -X POST", "PUT /v1/queues/{queue}")
        .doesNotContain("<table");
    assertThat(server.get("/ui/queues/No").status()).isEqualTo(400);
    assertThat(server.get("/ui/queues/none?window=2h").status()).isEqualTo(400);
  }

  @Test
  void a_queues_own_policy_stands_in_words_and_in_the_fields_of_its_form() {
    put(
        "worded",
        """
        {"paused":false,"policy":{"jitter":"none","base":"PT1M","cap":"PT1H","maxAttempts":3,
          "priorityScale":{"0":0.5}}}
        """);
    server.put("/v1/policies/slow", "{\"policy\":{\"base\":\"PT1H\",\"cap\":\"PT2H\"}}");
    put("named", "{\"paused\":false,\"policy\":\"slow\"}");

    assertThat(page("/ui/queues/worded"))
        .contains(">first try and up to 2 retries, no jitter, exactly 1 min doubling to a 1 h cap")
        .contains("name=\"policy\" value=\"\"", "<option selected>none</option>")
        .containsPattern("name=\"policy.base\"[^>]* value=\"1m\"")
        .containsPattern("name=\"policy.cap\"[^>]* value=\"1h\"")
        .containsPattern("name=\"policy.maxAttempts\"[^>]* value=\"3\"")
        .containsPattern("name=\"policy.priorityScale\"[^>]* value=\"\\{&#34;0&#34;:0.5}\"")
        .doesNotContain("<textarea name=\"policy\"");
    assertThat(page("/ui/queues/named"))
        .contains("name=\"policy\" value=\"slow\"")
        .containsPattern("name=\"policy.maxAttempts\"[^>]* value=\"\"");
  }

  @Test
  void a_queue_of_which_there_is_nothing_can_be_configured_on_its_page() {
    Answer none = server.get("/ui/queues/none");

    assertThat(none.status()).isEqualTo(404);
    assertThat(none.body())
        .contains("No queue has this name", "data-api=\"PUT /v1/queues/none\"")
        .contains("'{\"kind\":\"http\",\"queue\":\"none\"");
    assertThat(page(Links.named(none.body(), "Search its ended jobs"))).contains("queue:none");
    assertThat(page(Links.named(none.body(), "Queues"))).contains("No queues yet");

    assertThat(put("none", "{\"paused\":false}").status()).isEqualTo(201);
    assertThat(page("/ui/queues/none")).contains("Edit settings");
  }

  @Test
  void a_blocked_key_has_its_first_job_until_somebody_skips_that() throws SQLException {
    List<UUID> jobs = OrderedJobs.block(server.database(), "refunds", "order-4711", 4);
    String skip = "/v1/jobs/%s/skip";

    assertThat(page("/ui/queues/refunds"))
        .contains(
            "1 ordering key is blocked: its jobs",
            ">order-4711<",
            ">http_500<",
            "1 of 16 attempts made")
        .containsPattern("data-name=\"Waiting\" class=\"n\">3<")
        .contains("/ui/jobs/" + jobs.getFirst(), "POST " + skip.formatted(jobs.getFirst()));

    server.post(skip.formatted(jobs.getFirst()), "{}");
    assertThat(page("/ui/queues/refunds"))
        .contains("POST " + skip.formatted(jobs.get(1)))
        .containsPattern("data-name=\"Waiting\" class=\"n\">2<");

    server.post("/v1/jobs/" + jobs.get(2) + "/cancel", "{}");
    server.post("/v1/jobs/" + jobs.get(3) + "/cancel", "{}");
    assertThat(page("/ui/queues/refunds")).doesNotContain("Blocked keys");
  }

  @Test
  void a_queue_without_settings_has_no_limit() {
    server.submit("{\"kind\":\"k\",\"queue\":\"plain\",\"payload\":1}");

    assertThat(page("/ui/queues"))
        .contains("/ui/queues/plain", "no limit", "pause-plain")
        .contains("Completed in plain, jobs a second, the last hour");
    assertThat(page("/ui/queues/plain"))
        .contains("No rate limit: jobs start as soon as they are due")
        .contains("1 due already and waiting")
        // A minute may have begun since the figures were read.
        .containsPattern(
            "1 job submitted and 0 ended within 1 h( 1 min)?\\. The backlog has grown to 1\\.")
        .contains("q=queue%3Aplain+state%3Aavailable+attempts%3E0\">jobs waiting for a retry")
        .contains("No settings of its own")
        .doesNotContain("data-match", "NaN", "Restart warm-up", "data-dialog=\"delete\"");
  }

  /** One is held until then, the other is scheduled for it. */
  @Test
  void a_minute_of_the_forecast_leads_to_the_jobs_that_it_counts_a_held_one_among_them() {
    String then = Instant.now().truncatedTo(SECONDS).plus(Duration.ofMinutes(20)).toString();
    String held = server.submit("{\"kind\":\"k\",\"queue\":\"soon\",\"payload\":1}");
    server.post("/v1/jobs/" + held + "/hold", "{\"until\":\"" + then + "\"}");
    String scheduled =
        server.submit(
            "{\"kind\":\"k\",\"queue\":\"soon\",\"payload\":1,\"runAt\":\"" + then + "\"}");
    server.submit("{\"kind\":\"k\",\"queue\":\"soon\",\"payload\":1,\"delay\":\"PT40M\"}");

    String minute = Links.named(page("/ui/queues/soon"), "2");

    assertThat(Links.of(page(minute)).stream().map(Links.Link::href))
        .filteredOn(link -> link.matches("/ui/jobs/[^/?]{36}"))
        .containsOnly("/ui/jobs/" + held, "/ui/jobs/" + scheduled);
  }

  @Test
  void a_limited_queue_shows_where_it_is_on_its_curve() {
    put("limited", LIMITED);
    server.submit("{\"kind\":\"k\",\"queue\":\"limited\",\"payload\":1}");

    String cold = page("/ui/queues/limited");
    server.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('limited', 0, now() + "
            + "interval '1 hour')");
    String warm = page("/ui/queues/limited");

    assertThat(cold)
        .contains("Cold: starts at 5/s of 20/s.", "Restart warm-up", "Caught up in about")
        .contains("data-match=\"&#34;", "<td class=\"n\">5</td>", "20 starts a second");
    assertThat(warm).contains("Warm: 20/s.");
    assertThat(page("/ui/queues")).contains("class=\"gauge\"", "of 7").contains("warm");
  }

  @Test
  void a_form_s_tag_is_the_one_that_a_change_needs() {
    put("limited", LIMITED);
    String tag =
        page("/ui/queues/limited")
            .replaceAll("(?s).*data-match=\"([^\"]*)\".*", "$1")
            .replaceAll("&#34;|&quot;", "\"");

    assertThat(put("limited", LIMITED).status()).isEqualTo(428);
    assertThat(put("limited", LIMITED, "If-Match", tag).status()).isEqualTo(200);
  }

  @Test
  void a_paused_queue_says_who_paused_it_why_and_until_when() {
    put("limited", LIMITED);
    server.post(
        "/v1/queues/limited/pause",
        "{\"reason\":\"<b>merchant & co</b>\",\"until\":\"2099-01-01T00:00:00Z\"}");

    assertThat(page("/ui/queues/limited"))
        .contains("&lt;b", "merchant &amp; co", "2099-01-01", "resume-limited")
        .contains("Nothing starts until the queue is resumed.")
        .doesNotContain("<b>merchant", "pause-limited");
    assertThat(page("/ui/queues")).contains("paused", "resume-limited");
  }

  @Test
  void every_window_is_drawn() {
    server.submit("{\"kind\":\"k\",\"queue\":\"plain\",\"payload\":1}");

    for (String window : new String[] {"15m", "1h", "6h", "24h", "7d", "30d"}) {
      assertThat(page("/ui/queues/plain?window=" + window))
          .contains("window=" + window + "#history\" aria-current=\"true\"", "1 job submitted");
    }
  }

  @Test
  void a_page_has_five_cards_and_folds_the_rest_unless_its_reader_asked_for_it() {
    put("limited", LIMITED);

    String page = page("/ui/queues/limited");
    assertThat(page.split("<section class=\"card\"", -1)).hasSize(1 + 5);
    assertThat(page.indexOf("class=\"sentence\""))
        .isBetween(page.indexOf("<h1>"), page.indexOf("<section"));
    for (String fold : new String[] {"running", "waiting", "what-if", "history"}) {
      assertThat(page).contains("<details class=\"card fold\" id=\"" + fold + "\">");
    }
    assertThat(page("/ui/queues/limited?window=1h")).contains("id=\"history\" open>");
    assertThat(page("/ui/queues/limited?warmUp=5")).contains("id=\"what-if\" open>");
    assertThat(page("/ui/queues/limited?warmUp=-5")).contains("id=\"what-if\" open>");
  }

  @Test
  void a_queue_says_what_fails_and_leads_to_it() {
    Dead dead = new Dead(server);
    dead.die("failing", "no <luck>", 12, "1 min");
    dead.group();
    server.submit("{\"kind\":\"k\",\"queue\":\"failing\",\"payload\":1}");
    server.execute("update ebb.job set attempt = 2");
    server.execute(
        """
        insert into ebb.tally (at, counter, queue, kind, number)
        values (now() - interval '1 minute', 3, 'failing', 'k', 30),
          (now() - interval '1 minute', 4, 'failing', 'k', 10),
          (now() - interval '1 minute', 6, 'failing', 'k', 12)
        """);

    assertThat(page("/ui/queues/failing"))
        .containsPattern("<dd>10 <span class=\"hint\">of 40</span>")
        .contains("state%3Aavailable+attempts%3E0\">1</a>", "queue=failing\">12</a>")
        .contains("no &lt;luck", "12 dead letters, last", dead.page())
        .contains("0 jobs wait for the first attempt; 1 had at least one.");
    put("well", LIMITED);
    assertThat(page("/ui/queues/well")).contains("Nothing failed in the last 5 minutes");
  }

  @Test
  void a_limit_that_is_tried_is_drawn_beside_the_real_one_and_changes_nothing() {
    put("limited", LIMITED);
    server.submit("{\"kind\":\"k\",\"queue\":\"limited\",\"payload\":1}");
    String before = server.get("/v1/queues/limited").body();

    String page = page("/ui/queues/limited?window=24h&permitsPerSecond=400&warmUp=30");

    assertThat(page)
        .contains("Tried: Caught up in about", "Current: Caught up in about")
        .contains("Nothing changes", "the one that you tried")
        .contains("name=\"permitsPerSecond\" inputmode=\"decimal\" value=\"400\"")
        .contains("name=\"coldFactor\" inputmode=\"decimal\" value=\"4\"")
        .contains(
            "name=\"rateLimit.permitsPerSecond\" data-type=\"number\" inputmode=\"decimal\""
                + " value=\"400\"")
        .contains("window=7d&amp;permitsPerSecond=400&amp;warmUp=30")
        .containsOnlyOnce("empty: as now");
    assertThat(server.get("/v1/queues/limited").body()).isEqualTo(before);
    assertThat(page("/ui/queues/limited"))
        .contains("Trying changes nothing", "inputmode=\"decimal\" value=\"20\"")
        .doesNotContain("Tried: ", "the one that you tried", "empty: as now");
  }

  @Test
  void a_limit_that_breaks_a_rule_is_refused_at_its_field_and_not_put_into_the_settings() {
    put("limited", LIMITED);

    assertThat(page("/ui/queues/limited?permitsPerSecond=fast&coldFactor=4"))
        .contains("value=\"fast\"", "id=\"rule-permitsPerSecond\" role=\"alert\"")
        .contains("must be a number")
        .doesNotContain("Tried: ", "the one that you tried");
    assertThat(page("/ui/queues/limited?warmUp=-5")).contains("id=\"rule-warmUp\"");
    assertThat(page("/ui/queues/limited?coldFactor=500"))
        .contains("id=\"rule-coldFactor\"", "must be between 1 and 100");
  }

  @Test
  void a_queue_without_a_limit_may_try_one() {
    server.submit("{\"kind\":\"k\",\"queue\":\"plain\",\"payload\":1}");

    assertThat(page("/ui/queues/plain?permitsPerSecond=5"))
        .contains(
            "Current: No rate limit: jobs start as soon as they are due and a worker is free.");
    assertThat(server.get("/ui/queues/plain?permitsPerSecond=&warmUp=5").status()).isEqualTo(303);
  }

  @Test
  void what_waits_is_drawn_by_its_attempts_and_leads_to_the_jobs() {
    for (int i = 0; i < 3; i++) {
      server.submit("{\"kind\":\"k\",\"queue\":\"tried\",\"payload\":1}");
    }
    server.execute(
        "update ebb.job set attempt = 2 where id = (select max(id::text)::uuid from ebb.job)");

    String page = page("/ui/queues/tried");

    assertThat(page)
        .contains("2 jobs wait for the first attempt; 1 had at least one.")
        .contains("<td class=\"n\">none yet</td>");
    String bar = "/ui/jobs?q=queue%3Atried+state%3Aavailable+attempts%3A2";
    assertThat(page).contains("<a href=\"" + bar + "\" aria-label=");
    assertThat(page(bar)).contains("attempts:2").doesNotContain("class=\"empty\"");
    String submitted = page.replaceAll("(?s).*<a href=\"([^\"]*created[^\"]*)\">3</a>.*", "$1");
    assertThat(page(submitted.replace("&amp;", "&")).split("queue%3Atried|/ui/jobs/"))
        .hasSizeGreaterThan(3);
  }

  @Test
  void each_node_is_named_with_the_job_that_it_runs_for_longest() {
    String id = server.submit("{\"kind\":\"k\",\"queue\":\"held\",\"payload\":1}");
    assertThat(page("/ui/queues/held")).contains("No job of this queue is running.");
    server.execute(
        """
        insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids,
          versions, first_priority, last_priority, last_run_at)
        select queue, '<slow>', now() - interval '3 hours', now() + interval '1 hour', 1000000,
          array[id], array[version], 5, 5, now()
        from ebb.job
        """);

    assertThat(page("/ui/queues/held"))
        .contains("&lt;slow", "<a href=\"/ui/jobs/" + id + "\"", "3 h ago")
        .contains("queue%3Aheld+state%3Arunning")
        .doesNotContain("<slow>");
  }

  @Test
  void a_viewer_reads_and_changes_nothing() {
    server.close();
    server = UiServer.closed();
    String admin = UiServer.ADMIN;
    server.post("/v1/queues/plain/pause", "{}", admin);
    String viewer = server.token("vera", Role.VIEWER).text();

    for (String path : new String[] {"/ui/queues", "/ui/queues/plain"}) {
      assertThat(server.get(path, admin).body()).contains("data-api=\"POST /v1/queues/plain");
      Answer seen = server.get(path, viewer);
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body()).contains("paused").doesNotContain("data-api", "<dialog");
    }
    assertThat(server.post("/v1/queues/plain/resume", "{}", viewer).status()).isEqualTo(403);
    assertThat(server.get("/ui/queues").status()).isEqualTo(303);
  }
}
