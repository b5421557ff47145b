package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.Links.Link;
import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dead letters by subject, by error, and by both. */
class DeadRowsTest {
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
    dieOfThree();
  }

  private static String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static void dieOfThree() {
    dead.dieOf("bikes-ghent", "q", "no", 5, "1 min");
    dead.dieOf("acme-rome", "q", "no", 4, "1 min");
    dead.dieOf("acme-rome", "other", "away", 3, "1 min");
    dead.die("q", "away", 1, "1 min");
    dead.group();
  }

  @Test
  void a_row_begins_with_its_subject_the_largest_first() {
    String html = page("/ui/dead");

    assertThat(Links.of(html))
        .extracting(Link::text)
        .containsSubsequence("bikes-ghent", "acme-rome", "acme-rome", "no subject");
    assertThat(html).contains("<th scope=\"col\">Subject</th><th scope=\"col\">Error</th>");
    assertThat(page(dead.page())).contains("bikes-ghent: <span class=\"chip\">http_500");
  }

  @ParameterizedTest
  @CsvSource({"Subject, 7, acme-rome", "Error, 9, http_500 no"})
  void a_row_of_several_groups_says_how_many_and_covers_them_alone(
      String by, String jobs, String row) {
    String html = page(Links.named(page("/ui/dead"), by));

    assertThat(html).contains(">2 groups</a>");
    assertThat(Links.of(html)).extracting(Link::text).contains(jobs);
    String wizard = page(Links.named(html, "Redrive…"));
    assertThat(wizard).containsPattern("value=\"redrive\"[^>]* checked");
    assertThat(page(Links.named(html, jobs).replace("/jobs?", "/jobs/count?act=true&")))
        .contains("Act on all " + jobs + " matching jobs");
    String held = page(Links.named(html, row));
    assertThat(held).contains("The largest first.").doesNotContain(">2 groups</a>");
  }

  @Test
  void a_row_of_one_queue_leads_to_the_jobs_of_that_queue_alone() {
    String html = page("/ui/dead?by=subject&queue=q");

    String jobs = Links.named(html, "4");
    assertThat(jobs).contains("queue%3Aq");
    assertThat(page(jobs.replace("/jobs?", "/jobs/count?act=true&")))
        .contains("Act on all 4 matching jobs");
  }

  @ParameterizedTest
  @CsvSource({"Destination, 4", "Error, 4", "Subject, 7"})
  void a_row_of_one_subject_covers_the_jobs_that_it_counts(String by, String jobs) {
    server.put("/v1/destinations/q", "{\"url\":\"https://merchant.example/\"}");

    String html = page(Links.named(page("/ui/dead?subject=acme-rome"), by));

    assertThat(page(Links.named(html, jobs).replace("/jobs?", "/jobs/count?act=true&")))
        .contains("Act on all " + jobs + " matching jobs");
    String all =
        Links.of(html).stream().filter(link -> link.text().equals(jobs)).toList().getLast().href();
    String redrive = Links.named(html, "Redrive…");
    assertThat(redrive).contains(all.substring(all.indexOf("q=")));
    if (!by.equals("Subject")) {
      assertThat(page(redrive)).contains(", of these only <code>subject:acme-rome</code>");
    }
  }

  @Test
  void the_rows_by_destination_say_that_they_leave_out_queues_without_an_address() {
    String none = page("/ui/dead?by=destination");

    assertThat(none)
        .contains("No dead letters in queues with an address.")
        .contains("Queues without an address are not listed.")
        .doesNotContain("A job becomes one when");
    assertThat(page(Links.named(none, "By error"))).contains("http_500");
  }

  @ParameterizedTest
  @CsvSource({
    "destination, 2 groups · q, q",
    "error, 500 · 2 subjects, http_500",
    "subject, 1 error · bikes-ghent, bikes-ghent"
  })
  void a_row_is_named_by_what_it_covers_also_where_its_groups_have_more_in_common(
      String by, String redriven, String opened) {
    dead.clear();
    dead.dieOf("bikes-ghent", "q", "no", 5, "1 min");
    dead.dieOf("acme-rome", "q", "no", 4, "1 min");
    dead.group();
    server.put("/v1/destinations/q", "{\"url\":\"https://merchant.example/\"}");

    String html = page("/ui/dead?by=" + by);
    String row = server.get("/v1/dead-letters/groups?by=" + by).json().at("/items/0/id").asString();

    assertThat(page(Links.named(html, "Redrive…"))).contains(redriven);
    assertThat(page("/ui/dead?row=" + row))
        .contains("The groups of <strong>" + opened + "</strong>");
  }

  @Test
  void the_page_of_a_row_is_the_list_of_its_groups() {
    String row = server.get("/v1/dead-letters/groups?by=error").json().at("/items/0/id").asString();

    Answer answer = server.get("/ui/dead/" + row);

    assertThat(answer.status()).isEqualTo(303);
    assertThat(page(answer.header("Location"))).contains("bikes-ghent", "acme-rome");
  }

  @Test
  void a_destination_is_a_row_whose_redrive_covers_all_of_it_and_nothing_else() {
    server.put("/v1/destinations/q", "{\"url\":\"https://merchant.example/\"}");

    String html = page(Links.named(page("/ui/dead"), "Destination"));

    assertThat(html)
        .contains("<th scope=\"col\">Destination</th><th scope=\"col\">Error</th>")
        .contains(">3 groups</a>, this error the largest", "href=\"/ui/destinations/q\"")
        .doesNotContain("other</a>", ">Assign…</button>");
    assertThat(page(Links.named(html, "10").replace("/jobs?", "/jobs/count?act=true&")))
        .contains("Act on all 10 matching jobs");
    assertThat(page(Links.named(html, "Redrive…"))).contains("3 groups · q");
    assertThat(page(Links.named(html, "q")))
        .contains("The groups of <strong>q</strong>")
        .contains("bikes-ghent", "acme-rome", ">Assign…</button>")
        .contains("data-api=\"PATCH /v1/dead-letters/groups/");
  }
}
