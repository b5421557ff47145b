package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.operation.OperationCarrier;
import dev.ebb.ui.UiServer.Answer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations: the wizard, the list, and one of them. */
class OperationPagesTest {
  private static UiServer server;
  private static Dead dead;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    dead = new Dead(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    dead.clear();
  }

  private static String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String begin(String members) {
    Answer answer = server.post("/v1/operations", "{" + members + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return "/ui/operations/" + answer.field("id");
  }

  private static void carryOut() throws SQLException {
    try (Database database = TestPostgres.open(server.config())) {
      OperationCarrier carrier = new OperationCarrier(database);
      while (carrier.step().isPresent()) {}
    }
  }

  @Test
  void a_server_without_operations_says_where_they_begin() {
    assertThat(page("/ui/operations"))
        .contains("No operations in the last 30 days", "href=\"/ui/dead\"")
        .doesNotContain("<table", "data-poll");
  }

  @Test
  void an_operation_says_which_priority_it_sets_whether_attempts_start_again_and_its_limit() {
    dead.die("q", "no", 12, "1 min");
    server.submit("{\"kind\":\"a\",\"queue\":\"urgent\",\"payload\":1}");

    assertThat(
            page(
                begin(
                    "\"action\":\"set_priority\",\"filter\":{\"queue\":[\"urgent\"]},"
                        + "\"params\":{\"priority\":7}")))
        .contains("Set the priority of 1 job to 7");
    assertThat(
            page(
                begin(
                    "\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]},\"maxJobs\":3,"
                        + "\"params\":{\"resetAttempts\":false}")))
        .contains("<dt>Attempt count</dt><dd>continues</dd>", "<dt>Limited to</dt><dd>3 jobs</dd>");
  }

  @Test
  void an_operation_shows_what_it_does_to_which_jobs_who_began_it_and_why() {
    dead.die("q", "no", 12, "1 min");
    String path =
        begin(
            """
            "action":"redrive","filter":{"queue":["q"]},"stages":[1,10,100],"rate":"30/min",
            "stopOnFailureRatio":0.1,"reason":"<b>mended</b>"
            """);

    String html = page(path);

    assertThat(html)
        .contains("<h1>Redrive 12 jobs</h1>", "state running", "anybody", "30 a minute")
        .contains("&lt;b&gt;mended&lt;/b&gt;", "10 % of a stage", "at least 24 s", "Left 12")
        .contains("0 % of 12 jobs.", ">1 job</span>")
        .contains("href=\"/ui/jobs?q=state%3Adead_letter+queue%3Aq+created%3C")
        .contains("class=\"now\"", "data-poll=\"2\"")
        .contains("data-dialog=\"pause\"", "data-dialog=\"cancel\"")
        .doesNotContain("data-dialog=\"resume\"");
    assertThat(page("/ui/operations")).contains("Redrive 12 jobs", "&lt;b&gt;mended&lt;/b&gt;");
    assertThat(server.get(Links.named(html, "Report as CSV")).body()).startsWith("job,queue,");
  }

  @Test
  void a_paused_operation_says_why_and_can_be_resumed() {
    dead.die("q", "no", 1, "1 min");
    String path = begin("\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]}");
    server.post(path.replace("/ui/", "/v1/") + "/pause", "{\"reason\":\"lunch\"}");

    assertThat(page(path))
        .contains("state paused", "· lunch", "data-dialog=\"resume\"", "data-poll=\"10\"")
        .doesNotContain("data-dialog=\"pause\"", "Time left");
  }

  @Test
  void an_operation_that_waits_for_somebody_shows_what_its_first_stage_got() throws SQLException {
    dead.die("q", "no", 3, "1 min");
    String path =
        begin(
            """
            "action":"redrive","filter":{"queue":["q"]},"stages":[1,10],"pauseAfterStages":1
            """);
    carryOut();
    server.execute(
        """
        with gone as (delete from ebb.job returning *)
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select id, 'attempts_exhausted', 'http_500', 'still no', now(), 'n', now(), created_at,
          now(), 1, 3, 3, 5, queue, kind, payload
        from gone;
        update ebb.operation set due_at = now() - interval '1 second', stop_ratio = 1
        """);
    dead.attempted(
        """
        {"request":{"method":"POST","url":"https://m.example/","headers":[],"body":"{}"},
         "response":{"status":500,"headers":[],"body":"still no"},"millis":{"total":21}}
        """);
    carryOut();

    String html = page(path);

    assertThat(html)
        .contains("state paused", "check its results", "after the first stage")
        .contains("<li class=\"paused\">")
        .contains("Results of stage 1", "state failed", "its last attempt")
        .contains("POST https://m.example/", "still no", "data-dialog=\"resume\"");
    assertThat(html.split("<article", -1)).as("one job, and no other").hasSize(2);
  }

  @Test
  void an_operation_that_ended_before_its_attempts_does_not_say_that_they_go_on()
      throws SQLException {
    dead.die("q", "no", 2, "1 min");
    String path = begin("\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]},\"stages\":[5]");
    carryOut();

    assertThat(page(path))
        .contains("state completed", "Results of stage 1", "not recorded")
        .doesNotContain(">running<");
  }

  @Test
  void the_jobs_of_an_operation_and_of_a_group_are_named_by_their_keys_and_subjects()
      throws SQLException {
    dead.die("q", "no", 1, "1 min");
    server.execute(
        "update ebb.dead_letter set unique_key = 'refund-1', destination = 'shop.example'");
    dead.group();
    assertThat(page("/ui/dead/" + dead.largest().path("id").asString()))
        .contains(">refund-1</a> → shop.example");

    String path = begin("\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]},\"stages\":[5]");
    carryOut();

    assertThat(page(path))
        .containsPattern(">refund-1</a>\\s*</th><td data-name=\"Subject\">shop\\.example</td>")
        .contains("<td data-name=\"Queue\">q</td>");
    String report = server.get(path.replace("/ui/", "/v1/") + "/report").body();
    assertThat(report).contains("uniqueKey,subject", ",refund-1,shop.example");
  }

  @Test
  void a_filter_by_a_group_says_what_failed_and_whose_it_is_and_keeps_the_id() {
    dead.dieOf("bikes-ghent", "q", "no", 3, "1 min");
    dead.dieOf("bikes-ghent", "other", "no", 2, "1 min");
    dead.dieOf("acme-rome", "q", "no", 1, "1 min");
    dead.group();
    String group = dead.largest().path("id").asString();
    String wizard = page("/ui/operations/new?q=group%3A" + group);
    String operation =
        page(begin("\"action\":\"redrive\",\"filter\":{\"q\":\"group:" + group + "\"}"));

    assertThat(wizard).contains("value=\"group:" + group + "\"");
    assertThat(operation).containsPattern("<code>[^<]*group:" + group);
    for (String html : List.of(wizard, operation)) {
      assertThat(html)
          .contains(
              "<a class=\"filter-link\" href=\"/ui/dead/"
                  + group
                  + "\">500 ·"
                  + " bikes-ghent</a>");
    }
    assertThat(page("/ui/operations"))
        .contains("<a href=\"/ui/dead/" + group + "\">500 · bikes-ghent</a>");
  }

  @ParameterizedTest
  @CsvSource({"subject, 2 errors · bikes-ghent", "error, 500 · 2 subjects"})
  void a_filter_by_a_row_of_groups_says_what_they_have_in_common(String by, String words) {
    dead.dieOf("bikes-ghent", "q", "no", 3, "1 min");
    dead.dieOf("bikes-ghent", "other", "no", 2, "1 min");
    dead.dieOf("acme-rome", "q", "no", 1, "1 min");
    dead.group();
    String row = server.get("/v1/dead-letters/groups?by=" + by).json().at("/items/0/id").asString();

    assertThat(page("/ui/operations/new?q=group%3A" + row)).contains(">" + words + "</a>");
  }

  @Test
  void a_filter_by_a_group_that_is_gone_is_shown_as_it_is() {
    String gone = "019f2b1e-7c00-7a10-8000-5d2b8f1c0e11";

    assertThat(page("/ui/operations/new?q=group%3A" + gone))
        .contains("value=\"group:" + gone)
        .doesNotContain("Dead letters: ");
  }

  @Test
  void an_operation_that_has_ended_is_drawn_once_and_cannot_be_changed() throws SQLException {
    dead.die("q", "no", 3, "1 min");
    String path = begin("\"action\":\"discard\",\"filter\":{\"queue\":[\"q\"]}");
    carryOut();

    assertThat(page(path))
        .contains("state completed", "Discard 3 jobs", "100 %", "Done 3")
        .doesNotContain("data-poll", "<dialog", "data-dialog");
  }

  @Test
  void an_operation_on_named_jobs_says_so() {
    dead.die("q", "no", 1, "1 min");
    String id = server.get("/v1/jobs?state=dead").json().at("/items/0/id").asString();

    assertThat(page(begin("\"action\":\"redrive\",\"ids\":[\"" + id + "\"]")))
        .contains("1 job, selected by id. The report lists it");
    assertThat(page("/ui/operations")).contains("selected by id");
  }

  @Test
  void an_unknown_operation_is_a_page_that_says_so() {
    Answer answer = server.get("/ui/operations/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).contains("<!DOCTYPE html>");
  }

  @Test
  void the_wizard_keeps_a_hostile_filter_as_text() {
    String html = page("/ui/operations/new?q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%20'%5C");

    String[] scripts = page("/ui/operations/new").split("<script", -1);
    assertThat(html).doesNotContain("<script>alert").contains("&#34;>&lt;script>");
    assertThat(html.split("<script", -1)).hasSameSizeAs(scripts);
  }

  @ParameterizedTest
  @CsvSource({
    "q=state%3Adead, redrive",
    "q=state%3Aretrying+queue%3Aq, retry",
    "q=queue%3Aq&action=hold, hold",
    "q=queue%3Aq&action=nonsense, redrive",
    "ids=019f2b1e-7c00-7a10-8000-5d2b8f1c0e11&action=discard, discard"
  })
  void the_wizard_begins_with_an_action_that_fits(String query, String action) {
    String html = page("/ui/operations/new?" + query);

    assertThat(html).containsPattern("value=\"" + action + "\"[^>]* checked");
    assertThat(html.split("type=\"radio\"[^>]* checked", -1)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"'?action=hold', false", "'?action=nonsense', true", "'', true"})
  void the_wizard_unfolds_its_actions_only_for_who_has_not_chosen_one(String query, boolean open) {
    assertThat(page("/ui/operations/new" + query).contains("id=\"action\" open>")).isEqualTo(open);
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "?q=state%3Adead, true",
    "?q=-state%3Acompleted+state%3Adead, true",
    "?q=state%3Adead+queue%3Aq, false",
    "?ids=a, false"
  })
  void what_covers_every_job_has_to_be_said_twice(String query, boolean twice) {
    assertThat(page("/ui/operations/new" + query).contains("data-all=")).isEqualTo(twice);
  }

  @Test
  void the_wizard_offers_every_action_with_what_it_takes() {
    String html = page("/ui/operations/new");

    assertThat(JobAction.OPERATIONS)
        .allSatisfy(word -> assertThat(html).contains("name=\"action\" value=\"" + word + "\""));
    assertThat(html).contains("name=\"params.priority\"", "name=\"params.runAt\"");
  }

  @Test
  void what_cannot_be_undone_has_to_be_typed() {
    assertThat(page("/ui/operations/new"))
        .contains("required pattern=\"discard\"", "required pattern=\"cancel\"");
  }

  @Test
  void the_wizard_says_that_no_filter_means_every_job() {
    assertThat(page("/ui/operations/new")).contains("No filter: every job", "value=\"{ }\"");
    assertThat(page("/ui/operations/new?ids=a,b,c")).contains("3 selected");
  }
}
