package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link shows one job's story to whoever has it, and nothing else to anybody. */
class ShareLinkTest {
  private static UiServer server;
  private static String operator;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
    operator = server.token("operator", Role.OPERATOR).text();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A delivery that failed once, all of whose secrets have the word SEEDED in them. */
  private static String job(String response) {
    String job =
        """
        {"kind":"http","queue":"queue-seeded","uniqueKey":"key-seeded-%s","labels":{"a":"label-seeded"},
        "payload":{"url":"https://host-seeded.example/path-seeded?token=query-seeded",
        "headers":{"Authorization":"Bearer header-seeded","X-Order":"order-seeded"},
        "body":{"card":"4111111111111111","order":"body-seeded"}}}
        """
            .formatted(System.nanoTime());
    Answer answer = server.post("/v1/jobs", job, UiServer.ADMIN);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    String id = answer.field("id");
    server.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        values ('%s', '2026-11-01 00:00:01Z', '2026-11-01 00:00:02Z', 1, 'failed', 'http_503',
          'message-seeded', 'node-seeded',
          jsonb_build_object(
            'request', jsonb_build_object(
              'method', 'POST', 'url', 'https://host-seeded.example/path-seeded?token=***',
              'headers', '[{"name":"Authorization","value":"***"},
                {"name":"X-Order","value":"order-seeded"}]'::jsonb,
              'body', '{"card":"4111111111111111","order":"body-seeded"}', 'bodyCut', false),
            'destination', '{"name":"destination-seeded","version":"version-seeded"}'::jsonb,
            'response', jsonb_build_object(
              'status', 503, 'headers', '[{"name":"Set-Cookie","value":"cookie-seeded"}]'::jsonb,
              'body', $b$%s$b$, 'bodyBase64', false),
            'rule', 'rule-seeded', 'result', '{"a":"result-seeded"}'::jsonb,
            'connection', '{"address":"203.0.113.7:443","tls":{"subject":"CN=tls-seeded"}}'::jsonb)
            ::text);
        update ebb.job set attempt = 1, run_at = now() + interval '1 hour' where id = '%1$s'
        """
            .formatted(id, response));
    return id;
  }

  private static Answer created(String job) {
    Answer made = server.post("/v1/jobs/" + job + "/links", "{}", operator);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made;
  }

  private static String link(String job) {
    return created(job).field("path");
  }

  private static Answer json(String link) {
    return server.send(server.request(link).header("Accept", "application/json").GET());
  }

  private static Answer delete(String path) {
    return server.send(
        server.request(path).header("Authorization", "Bearer " + UiServer.ADMIN).DELETE());
  }

  private static void assertGone(String link) {
    Answer page = server.get(link);
    assertThat(page.status()).as(link).isEqualTo(404);
    assertThat(page.body())
        .as("the same for all")
        .isEqualTo(server.get("/share/00000000_00000000000000000000000000000000").body());
    Answer json = json(link);
    assertThat(json.status()).isEqualTo(404);
    assertThat(json.field("detail"))
        .isEqualTo("The link is not known, or has expired or was revoked.");
  }

  @Test
  void without_a_token_the_link_tells_when_the_job_was_tried_and_how_that_ended() {
    String job = job("try again later");

    Answer page = server.get(link(job));

    assertThat(page.status()).as(page.body()).isEqualTo(200);
    assertThat(page.header("content-type")).isEqualTo("text/html;charset=utf-8");
    assertThat(page.body())
        .contains(
            job, "2026-11-01 00:00:01", "failed", "503", "http_503", "try again later", "Next try");
    Answer json = json(link(job));
    assertThat(json.json().path("phase").asString()).isEqualTo("retrying");
    assertThat(json.json().at("/attempts/0/status").asInt()).isEqualTo(503);
    assertThat(json.json().at("/attempts/0/response").asString()).isEqualTo("try again later");
    assertThat(json.field("nextTryAt")).isNotEmpty();
  }

  /** The receiver's own words may be an echo. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ok",
        "{\"echo\":\"body-seeded\"}",
        "got BODY-SEEDED",
        "{\"headers\":{\"authorization\":\"Bearer header-seeded\"}}",
        "x-order was order-seeded",
        "card 4111111111111111",
      })
  void what_is_masked_or_ours_appears_nowhere(String response) {
    String link = link(job(response));

    for (Answer answer : List.of(server.get(link), json(link))) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body())
          .doesNotContainIgnoringCase("seeded")
          .doesNotContain("4111111111111111", "203.0.113.7", "operator", "***");
    }
  }

  @Test
  void a_reason_that_is_no_word_is_told_as_an_error_and_no_more() {
    String job = job("no");
    server.execute(
        "update ebb.attempt set failure_reason = 'com.seeded.OddException' where job_id = '%s'"
            .formatted(job));

    assertThat(server.get(link(job)).body()).contains(">error</td>").doesNotContain("seeded");
  }

  @Test
  void a_page_that_needs_no_other_is_neither_kept_nor_found_nor_leads_anywhere() {
    String link = link(job("no"));

    Answer page = server.get(link);

    assertThat(page.header("cache-control")).isEqualTo("no-store");
    assertThat(page.header("referrer-policy")).isEqualTo("no-referrer");
    assertThat(page.header("x-robots-tag")).contains("noindex");
    assertThat(page.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(page.header("set-cookie")).isEmpty();
    assertThat(page.header("content-security-policy"))
        .startsWith("default-src 'none'; style-src 'sha256-")
        .contains("frame-ancestors 'none'");
    assertThat(page.body()).doesNotContain("<script", "href=", "src=", "/ui", "/v1");
    assertThat(json(link).header("cache-control")).isEqualTo("no-store");
    assertThat(server.get("/share/nonsense").header("referrer-policy")).isEqualTo("no-referrer");
  }

  @Test
  void a_text_of_the_receiver_is_shown_and_not_run() {
    assertThat(server.get(link(job("<script>alert(1)</script>"))).body())
        .contains("&lt;script&gt;alert(1)")
        .doesNotContain("<script");
  }

  @Test
  void a_link_that_expired_is_unknown() {
    String link = link(job("no"));
    server.execute(
        "update ebb.job_link set expires_at = now() where id = '%s'"
            .formatted(link.substring(7, 15)));

    assertGone(link);
  }

  @Test
  void a_revoked_link_is_unknown_at_once() {
    String job = job("no");
    Answer made = created(job);
    String links = "/v1/jobs/" + job + "/links";

    assertThat(delete(links + "/" + made.field("id")).status()).isEqualTo(204);

    assertGone(made.field("path"));
    assertThat(delete(links + "/" + made.field("id")).field("code")).isEqualTo("link_not_found");
    assertThat(server.get(links, operator).json().path("items").isEmpty()).isTrue();
  }

  @Test
  void a_link_is_revoked_through_its_own_job_alone() {
    String job = job("no");
    Answer made = created(job);

    Answer other = delete("/v1/jobs/" + job("no") + "/links/" + made.field("id"));

    assertThat(other.field("code")).isEqualTo("link_not_found");
    assertThat(server.get(made.field("path")).status()).isEqualTo(200);
  }

  @Test
  void a_guess_is_unknown_however_near() {
    String job = job("no");
    String link = link(job);
    char last = link.charAt(link.length() - 1);
    String near = link.substring(0, link.length() - 1) + (last == '0' ? '1' : '0');

    for (String guess :
        List.of(
            near,
            link.substring(0, link.length() - 1),
            link + "0",
            link.toUpperCase(Locale.ROOT).replace("/SHARE", "/share"),
            "/share/" + job,
            "/share/ebb_" + link.substring(7),
            "/share/" + UiServer.ADMIN,
            "/share/%27%20or%20true--",
            "/share/%00")) {
      Answer answer = server.get(guess);
      assertThat(answer.status()).as(guess).isBetween(400, 404);
      assertThat(answer.body()).as(guess).doesNotContain(job);
    }
    assertGone(near);
  }

  @Test
  void another_jobs_link_shows_that_job_alone() {
    String mine = job("no");
    String other = job("no");

    assertThat(server.get(link(mine)).body()).contains(mine).doesNotContain(other);
  }

  @Test
  void a_link_opens_nothing_but_its_page() {
    String token = link(job("no")).substring("/share/".length());

    for (String bearer : List.of(token, "ebb_" + token)) {
      Answer refused =
          server.send(server.request("/v1/jobs").header("Authorization", "Bearer " + bearer).GET());
      assertThat(refused.status()).isEqualTo(401);
    }
  }

  @Test
  void head_is_get_without_a_body_and_nothing_else_is_served() {
    String link = link(job("no"));

    Answer head = server.send(server.request(link).method("HEAD", BodyPublishers.noBody()));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.header("cache-control")).isEqualTo("no-store");
    for (String method : List.of("OPTIONS", "POST", "PUT", "DELETE", "TRACE")) {
      Answer answer = server.send(server.request(link).method(method, BodyPublishers.noBody()));
      assertThat(answer.status()).as(method).isBetween(400, 501);
      assertThat(answer.body()).as(method).doesNotContain("503");
    }
  }

  @Test
  void the_link_of_an_erased_job_says_so_and_that_of_one_that_is_gone_is_unknown() {
    String job = job("try again later");
    String link = link(job);
    assertThat(server.post("/v1/jobs/" + job + "/cancel", "{}", operator).status()).isEqualTo(200);
    assertThat(delete("/v1/jobs/" + job + "/payload").status()).isEqualTo(204);

    assertThat(server.get(link).body())
        .contains("was erased on", "http_503")
        .doesNotContain("try again later");

    server.execute("delete from ebb.history where id = '" + job + "'");
    assertGone(link);
  }

  @Test
  void a_long_story_is_cut_and_says_so() {
    String job = job("no");
    server.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node)
        select '%s', now() + n * interval '1 s', now() + n * interval '1 s', n, 'failed', 'n'
        from generate_series(2, 60) n
        """
            .formatted(job));
    String link = link(job);

    assertThat(server.get(link).body()).contains("The newest 50; earlier ones are not shown.");
    assertThat(json(link).json().path("attempts").size()).isEqualTo(50);
    assertThat(json(link).json().at("/attempts/49/number").asInt()).isEqualTo(60);
  }

  @Test
  void only_who_may_act_and_see_what_receivers_answer_makes_one_and_the_audit_knows() {
    String job = job("no");
    String viewer = server.token("a viewer", Role.VIEWER).text();
    String auditor = server.token("an auditor", Role.AUDITOR).text();
    String links = "/v1/jobs/" + job + "/links";

    assertThat(server.post(links, "{}", viewer).status()).isEqualTo(403);
    assertThat(server.post(links, "{}", auditor).status()).isEqualTo(403);
    String secret = created(job).field("path").substring(15);
    assertThat(server.get(links, viewer).body()).contains("operator").doesNotContain(secret);
    assertThat(server.get("/v1/jobs/" + job + "/audit", operator).body())
        .contains("job.share")
        .doesNotContain(secret);
    assertThat(server.get("/ui/jobs/" + job, operator).body())
        .contains("Share with the merchant", "Revoke")
        .doesNotContain(secret);
    assertThat(server.get("/ui/jobs/" + job, viewer).body())
        .doesNotContain("Share with the merchant");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT59S", "P31D", "-P1D", "P1000Y", "soon"})
  void a_link_lasts_a_minute_to_thirty_days(String length) {
    String links = "/v1/jobs/" + job("no") + "/links";

    assertThat(server.post(links, "{\"expiresIn\":\"" + length + "\"}", operator).status())
        .isEqualTo(400);
  }

  @Test
  void a_job_has_twenty_live_links_at_most() {
    String job = job("no");
    for (int i = 0; i < 20; i++) {
      created(job);
    }

    Answer more = server.post("/v1/jobs/" + job + "/links", "{}", operator);

    assertThat(more.status()).isEqualTo(409);
    assertThat(more.field("code")).isEqualTo("too_many_links");
  }

  @Test
  void a_sender_that_guesses_on_and_on_is_refused() {
    try (UiServer other = UiServer.closed(server.config())) {
      int asked = 0;
      Answer last;
      do {
        last = other.get("/share/x");
        assertThat(++asked).isLessThan(10_000);
      } while (last.status() == 404);
      assertThat(asked).isGreaterThan(600);
      assertThat(last.status()).isEqualTo(429);
      assertThat(last.header("retry-after")).isNotEmpty();
    }
  }
}
