package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of jobs: which rows stay where they are, and which columns it has. */
class JobsPageTest {
  private static final int MANY = 60;
  private static final Pattern HEAD =
      Pattern.compile("(?s)<th[^>]*>(?:<input[^>]*> )?([^<]*)</th>");

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    String job =
        """
        {"kind":"report","queue":"many","payload":1,"labels":{"merchant":"a b"},"priority":3}
        """;
    String jobs = String.join(",", Collections.nCopies(MANY, job));
    Answer stored = server.post("/v1/jobs/batch", "{\"jobs\":[" + jobs + "]}");
    assertThat(stored.status()).as(stored.body()).isBetween(200, 299);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String page(String query) {
    Answer answer = server.get("/ui/jobs" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static List<String> columns(String html) {
    return HEAD.matcher(html).results().map(head -> head.group(1).strip()).toList();
  }

  @Test
  void those_that_died_in_the_last_day_are_found_however_old_they_are() {
    new Dead(server).die("old", "no", 1, "1 min");
    server.execute(
        """
        update ebb.dead_letter
        set created_at = now() - interval '3 days', unique_key = 'order-of-monday'
        where queue = 'old'
        """);

    String found = server.get(Links.named(page(""), "Died in the last day")).body();

    assertThat(found).contains("order-of-monday");
  }

  @Test
  void rows_that_are_told_of_news_stay_and_each_can_be_found_again() {
    String html = page("");

    assertThat(html)
        .contains("id=\"news\" role=\"status\" aria-live=\"polite\"", "data-more=\"true\"")
        .contains("data-live=\"\"", "<tbody data-still=\"\"");
    List<String> ids =
        Pattern.compile("<tr id=\"row-([0-9a-f-]{36})\" data-state=\"(due|available)\"")
            .matcher(html)
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(ids).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void rows_that_people_page_through_wait_for_no_news() {
    assertThat(page(Links.named(page(""), "Older").replace("/ui/jobs", "")))
        .contains("data-more=\"false\"")
        .doesNotContain("data-live", "data-still", "id=\"news\"");
  }

  @Test
  void a_list_has_the_usual_columns_unless_its_address_names_others() {
    assertThat(columns(page("")))
        .containsExactly(
            "State", "Job", "Subject", "Queue", "Attempt", "Next run", "Submitted", "Last error");

    String html = page("?columns=labels,priority,state");

    assertThat(columns(html)).containsExactly("State", "Job", "Priority", "Labels");
    assertThat(html)
        .contains(
            "data-name=\"Priority\" data-now=\"priority\" class=\"n\">3<", ">merchant = a b</a>")
        .contains("value=\"labels\" checked", "value=\"node\" autocomplete")
        .doesNotContain("data-name=\"Kind\"");
  }

  @Test
  void the_way_to_a_job_and_to_choosing_it_is_there_without_any_other_column() {
    String html = page("?columns=job");

    assertThat(columns(html)).containsExactly("Job");
    assertThat(html).contains("data-pick", "id=\"pick-all\"", "class=\"id\" id=\"job-");
  }

  @Test
  void a_name_of_no_column_is_left_out() {
    assertThat(columns(page("?columns=kind,nonsense"))).containsExactly("Job", "Kind");
  }

  @Test
  void columns_that_a_form_names_one_by_one_get_a_short_address() {
    Answer form =
        server.get("/ui/jobs?q=queue%3Amany&apply=true&columns=job&columns=state&columns=labels");
    Answer usual =
        server.get(
            "/ui/jobs?apply=true&columns=job&columns=state&columns=subject&columns=queue&columns=attempt"
                + "&columns=run&columns=submitted&columns=error");

    assertThat(form.status()).isEqualTo(303);
    assertThat(form.header("Location"))
        .isEqualTo("/ui/jobs?q=queue%3Amany&columns=state%2Cjob%2Clabels");
    assertThat(usual.header("Location")).isEqualTo("/ui/jobs");
  }

  @Test
  void columns_are_kept_by_every_way_from_the_list_to_the_list() {
    String html = page("?q=queue%3Amany&columns=state%2Clabels");

    assertThat(Links.of(html).stream().map(Links.Link::href))
        .filteredOn(href -> href.startsWith("/ui/jobs?"))
        .hasSizeGreaterThan(20)
        .allSatisfy(href ->
            assertThat(href)
                .satisfiesAnyOf(
                    to -> assertThat(to).contains("columns=state%2Cjob%2Clabels"),
                    // It takes the choice back.
                    to -> assertThat(to).isEqualTo("/ui/jobs?q=queue%3Amany&columns=usual")));
    // The search of the list, and that of the header.
    assertThat(html.split("type=\"hidden\" name=\"columns\" value=\"state,job,labels\""))
        .hasSize(3);
    assertThat(html).contains("data-columns=\"state,job,labels\"");
    assertThat(columns(page(Links.named(html, "Older").replace("/ui/jobs", ""))))
        .containsExactly("State", "Job", "Labels");
  }

  @Test
  void a_file_has_all_columns_whichever_are_shown() {
    String csv = Links.named(page("?q=queue%3Amany&columns=labels"), "CSV");

    assertThat(csv).isEqualTo("/ui/jobs.csv?q=queue%3Amany");
    assertThat(server.get(csv).body()).startsWith("id,uniqueKey,subject,state,");
  }

  private static Answer with(String cookie, String path) {
    return server.send(server.request(path).header("Cookie", cookie));
  }

  @Test
  void columns_that_somebody_chose_are_there_at_the_next_visit_until_they_are_reset() {
    Answer chosen = server.get("/ui/jobs?apply=true&columns=job&columns=state&columns=labels");
    assertThat(chosen.header("Set-Cookie"))
        .startsWith("ebb-columns=state.job.labels; Path=/ui; HttpOnly; SameSite=Lax; Max-Age=");
    String cookie = chosen.header("Set-Cookie").split(";", 2)[0];

    String next = with(cookie, "/ui/jobs").body();
    assertThat(columns(next)).containsExactly("State", "Job", "Labels");
    assertThat(next)
        .as("a saved view has them, and so has nobody else's address")
        .contains("data-columns=\"state,job,labels\"")
        .doesNotContain("name=\"columns\" value=\"state,job,labels\"");
    assertThat(columns(with(cookie, "/ui/jobs?columns=kind").body()))
        .as("an address goes before")
        .containsExactly("Job", "Kind");

    Answer reset = with(cookie, Links.named(next, "Reset"));
    assertThat(reset.header("Set-Cookie")).startsWith("ebb-columns=;").contains("Max-Age=0");
    assertThat(reset.header("Location")).isEqualTo("/ui/jobs");
  }

  @Test
  void the_job_alone_is_a_choice_of_columns_like_any_other() {
    assertThat(page("")).contains("<input type=\"hidden\" name=\"apply\" value=\"true\">");

    Answer chosen = server.get("/ui/jobs?apply=true&columns=job");

    assertThat(chosen.header("Set-Cookie")).startsWith("ebb-columns=job;");
    assertThat(chosen.header("Location")).isEqualTo("/ui/jobs?columns=job");
  }

  @Test
  void a_cookie_of_no_columns_harms_no_list() {
    assertThat(columns(with("ebb-columns=nonsense", "/ui/jobs").body())).containsExactly("Job");
  }

  @Test
  void a_row_shows_the_key_and_what_the_job_is_about_and_leads_to_all_about_it() {
    server.submit(
        """
        {"kind":"http","queue":"about","payload":{"url":"https://pay.example:8443/x"},
         "uniqueKey":"order-1"}
        """);

    String html = page("?q=queue%3Aabout");

    assertThat(html)
        .contains(">order-1</a>", ">pay.example:8443</a>")
        .contains("href=\"/ui/jobs?q=destination%3A%22pay.example%3A8443%22\"")
        .doesNotContain(">http<");
  }
}
