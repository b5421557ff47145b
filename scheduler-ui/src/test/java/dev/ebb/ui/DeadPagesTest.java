package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.Links.Link;
import dev.ebb.ui.UiServer.Answer;
import dev.ebb.ui.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters as a matrix, and one group of them. */
class DeadPagesTest {
  private static final String DELIVERY =
      """
      {"request":{"method":"POST","url":"https://shop.example/hook","body":"{\\"order\\":7}"},
       "response":{"status":503,"body":"<h1>away</h1>"},"millis":{"total":42}}
      """;

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

  @Test
  void a_server_without_dead_letters_says_how_a_job_would_become_one() {
    assertThat(page("/ui/dead"))
        .contains("No dead letters. A job becomes one when")
        .doesNotContain("<table");
  }

  @Test
  void a_row_counts_each_job_once_by_its_age_and_each_number_leads_to_the_jobs() {
    dead.die("payments", "order 1 failed", 3, "10 min");
    dead.die("payments", "order 2 failed", 2, "2 h");
    dead.die("payments", "order 3 failed", 4, "5 d");
    dead.group();
    String jobs = "/ui/jobs?q=group%3A" + dead.largest().path("id").asString();

    String html = page("/ui/dead");

    List<Link> cells = Links.of(html).stream().filter(one -> one.href().startsWith(jobs)).toList();
    assertThat(cells).extracting(Link::text).containsExactly("3", "2", "4", "9");
    for (Link cell : cells) {
      String found = page(cell.href().replace("/jobs", "/jobs/count") + "&act=true");
      assertThat(found).contains("Act on all " + cell.text() + " matching jobs");
    }
    assertThat(html).contains("order &lt;number&gt; failed", "http_500");
    assertThat(page(jobs)).contains("Act on all matching jobs", "/ui/jobs/count?q=group");
    assertThat(page(jobs.replace("/jobs", "/jobs/count") + "&act=true"))
        .contains("Act on all 9 matching jobs");
  }

  @Test
  void a_cell_is_the_darker_the_larger_its_share_and_zero_is_no_link() {
    dead.die("q", "many", 30, "2 h");
    dead.die("q", "few", 1, "2 h");
    dead.die("q", "few", 1, "10 min");
    dead.group();

    String html = page("/ui/dead");

    assertThat(html).contains("cell s4", "cell s1", "cell s0").contains("<span class=\"none\">0<");
  }

  @Test
  void a_group_says_the_status_that_its_reason_names_and_no_iso_length() {
    dead.die("q", "the destination answered 500", 2, "1 min");
    dead.die("q", "no answer within PT30S", 2, "1 min");
    dead.group();

    String html = page("/ui/dead");

    assertThat(html)
        .contains("the destination answered 500", "no answer within &lt;number&gt; s")
        .doesNotContain("answered &lt;number&gt;", "PT&lt;");
    assertThat(page("/ui/dead/" + dead.largest().path("id").asString())).doesNotContain("PT&lt;");
  }

  @Test
  void what_is_not_grouped_yet_is_told() {
    dead.die("q", "new", 2, "1 min");

    assertThat(page("/ui/dead")).contains("2 not grouped yet");
  }

  @Test
  void a_field_that_is_left_empty_narrows_nothing() {
    Answer answer = server.get("/ui/dead?queue=&kind=report");

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).endsWith("/ui/dead?kind=report");
  }

  @Test
  void queue_and_kind_narrow_the_matrix() {
    dead.die("one", "earlier", 1, "1 min");
    dead.die("two", "second", 1, "1 min");
    dead.group();

    assertThat(page(Links.named(page("/ui/dead"), "two")))
        .contains("second")
        .doesNotContain("earlier");
    assertThat(page("/ui/dead?kind=report")).contains("No dead letters of this kind");
    assertThat(page("/ui/dead?queue=three")).contains("No dead letters in this queue");
    assertThat(page("/ui/dead?queue=NO%20NAME")).contains("role=\"alert\"");
  }

  @Test
  void many_groups_are_shown_page_by_page_each_once() {
    for (char first = 'a'; first <= 'z'; first++) {
      dead.die("q", "because " + first, 1, "1 min");
      dead.die("q", "although " + first, 1, "1 min");
      dead.die("q", "while " + first, 1, "1 min");
    }
    dead.group();

    String first = page("/ui/dead");
    String second = page(Links.named(first, "Smaller"));

    String id = "href=\"/ui/dead/[0-9a-f-]{36}\"";
    List<Set<String>> seen =
        Stream.of(first, second)
            .map(html ->
                Pattern.compile(id)
                    .matcher(html)
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toSet()))
            .toList();
    assertThat(seen.getFirst()).hasSize(50).doesNotContainAnyElementsOf(seen.getLast());
    assertThat(seen.getLast()).hasSize(28);
    assertThat(Links.of(second))
        .extracting(Link::text)
        .contains("Largest")
        .doesNotContain("Smaller");
    assertThat(first).contains("The largest 50 of 78 rows.");
    assertThat(second).contains("The next 28 of 78 rows.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "${7*7} @import $unsafe{\"<b>\"}",
        "</pre></td></table><h1>",
        "\u202Egnirts\u202C 支付 العربية 🚀",
      })
  void a_hostile_error_is_shown_as_text(String hostile) {
    dead.die("q", hostile, 1, "1 min");
    dead.attempted(
        "{\"request\":{\"method\":\"GET\",\"url\":%1$s},\"response\":{\"body\":%1$s}}"
            .formatted(Json.pretty(hostile)));
    dead.group();

    for (String path : List.of("/ui/dead", dead.page(), "/ui/jobs?q=state%3Adead")) {
      assertThat(page(path)).as(path).doesNotContain("<script>alert", "<img src=x", "</pre></td>");
      // What stands between the quotes of an attribute is text.
      assertThat(page(path).replaceAll("=\"[^\"]*\"", "=\"\""))
          .as(path)
          .doesNotContainPattern("(?i)<[a-z][^<>]*\\son[a-z]+=");
    }
  }

  @Test
  void a_long_error_is_cut_in_the_matrix_and_whole_on_its_page() {
    String error = "x".repeat(1_000);
    dead.die("q", error, 1, "1 min");
    dead.group();

    assertThat(page("/ui/dead")).doesNotContain("x".repeat(400));
    assertThat(page(dead.page())).contains(error);
  }

  @Test
  void a_group_shows_its_newest_with_request_and_response() {
    dead.die("q", "the destination answered 503", 5, "1 min");
    dead.attempted(DELIVERY);
    dead.group();

    String html = page(dead.page());

    assertThat(html.split("POST https://shop.example/hook", -1)).hasSize(4);
    assertThat(html)
        .contains("The newest 3", "{\"order\":7}", ">503<", "after 42 ms")
        .contains("&lt;h1&gt;away&lt;/h1&gt;");
    assertThat(Links.of(html))
        .filteredOn(link -> link.href().startsWith("/ui/jobs/"))
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(link -> assertThat(link.href()).matches("/ui/jobs/[0-9a-f-]{36}"));
  }

  @Test
  void a_group_that_is_acknowledged_on_its_page_says_who_knows_it_and_how_many_died_since() {
    dead.die("q", "no", 1, "1 min");
    dead.group();
    String path = dead.page();
    String tag = page(path).replaceFirst("(?s).*?data-match=\"([^\"]*)\".*", "$1");

    Answer patched =
        server.send(
            server
                .request(path.replace("/ui/dead/", "/v1/dead-letters/groups/"))
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", tag.replace("&#34;", "\"").replace("&quot;", "\""))
                .method(
                    "PATCH",
                    BodyPublishers.ofString(
                        """
                        {"acknowledged":true,"assignee":"Bo & co","note":"ask <Ana>"}
                        """)));
    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    dead.die("q", "no", 2, "0 s");
    dead.group();

    for (String place : List.of("/ui/dead", path)) {
      assertThat(page(place))
          .contains(
              "anybody</span> acknowledged it",
              "2 since",
              "assigned to Bo &amp; co",
              "ask &lt;Ana&gt;");
    }
  }

  @Test
  void a_group_whose_jobs_are_gone_says_so_and_offers_nothing_to_do() {
    dead.die("q", "no", 1, "1 min");
    dead.group();
    String path = dead.page();
    server.execute("delete from ebb.dead_letter");

    assertThat(page(path)).contains("No jobs left in this group").doesNotContain("Redrive in");
  }

  @Test
  void an_unknown_group_is_a_page_that_says_so() {
    Answer answer = server.get("/ui/dead/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).contains("<!DOCTYPE html>", "There is no group");
  }

  @Test
  void from_a_cell_over_jobs_and_an_attempt_to_a_staged_redrive_it_takes_four_clicks() {
    dead.die("q", "the destination answered 503", 12, "1 min");
    dead.attempted(DELIVERY);
    dead.group();
    int clicks = 0;

    String jobs = page(Links.named(page("/ui/dead"), "12"));
    clicks++;
    String attempts = page(Links.named(jobs, "Show the group and its attempts"));
    clicks++;
    assertThat(attempts).contains("POST https://shop.example/hook", ">503<");
    String wizard = page(Links.named(attempts, "Redrive in stages…"));
    clicks++;
    assertThat(wizard)
        .contains("data-api=\"POST /v1/operations\"", "data-dry-run=", "value=\"1, 10, 100\"")
        .containsPattern("value=\"redrive\"[^>]* checked");
    String filter =
        wizard
            .replaceFirst("(?s).*name=\"filter\"[^>]* value=\"([^\"]*)\".*", "$1")
            .replace("&#34;", "\"");
    String body = "{\"action\":\"redrive\",\"filter\":%s,\"stages\":[1,10,100]%s}";

    Answer look = server.post("/v1/operations/preview", body.formatted(filter, ""));
    assertThat(look.json().path("matched").asInt()).as(look.body()).isEqualTo(12);
    Answer begun = server.post("/v1/operations", body.formatted(filter, ",\"expectedCount\":12"));
    clicks++;

    assertThat(begun.status()).as(begun.body()).isEqualTo(202);
    assertThat(page("/ui/operations/" + begun.field("id"))).contains("Redrive 12 jobs");
    assertThat(clicks).isLessThanOrEqualTo(4);
  }
}
