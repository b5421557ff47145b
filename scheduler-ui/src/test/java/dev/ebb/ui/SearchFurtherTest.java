package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What no index answers: the list goes on looking by itself, says how far it is, and stops. */
class SearchFurtherTest {
  private static final Pattern NEXT =
      Pattern.compile("id=\"further\"[^>]* hx-get=\"([^\"]+)\" hx-trigger=\"load");
  private static final Pattern BUTTON = Pattern.compile("id=\"further-button\" href=\"([^\"]+)\"");

  private static UiServer server;
  private static String wanted;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    wanted = server.submit("{\"kind\":\"wanted\",\"payload\":1}");
    server.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now(), 0, 3, 5, 'q', 'echo', '1' from generate_series(1, 12000)
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String part(String path) {
    return server.send(server.request(path).header("HX-Request", "true").GET()).body();
  }

  private static String link(Pattern pattern, String html) {
    Matcher link = pattern.matcher(html);
    assertThat(link.find()).as(html).isTrue();
    return link.group(1).replace("&amp;", "&");
  }

  /** What a browser shows when the search has ended, of which a request does a second's part. */
  private static String last(String html) {
    String shown = html;
    while (NEXT.matcher(shown).find()) {
      shown = part(link(NEXT, shown));
    }
    return shown;
  }

  @Test
  void a_search_goes_on_by_itself_and_adds_what_it_finds() {
    String first = page("/ui/jobs?q=kind%3Awanted");
    assertThat(first)
        .contains(
            "Looked at 5,000 jobs, back to",
            "of the retained history",
            "<progress",
            ">Stop</a>",
            "id=\"found\"")
        .contains("<div id=\"searched\" class=\"hint\" role=\"status\"></div>")
        .doesNotContain(wanted, "No jobs match");

    String next = last(first);

    assertThat(next)
        .contains("hx-swap-oob=\"beforeend:#found\"", "row-" + wanted)
        .contains("looked at 12,001 jobs, found 1")
        .doesNotContain("hx-trigger", "<html");
  }

  @Test
  void a_search_that_has_come_to_the_end_knows_how_many_it_found() {
    String next = last(page("/ui/jobs?q=kind%3Awanted"));

    assertThat(next).containsPattern("(?s)innerHTML:#count\">\\s*1 job\\s*<");
    assertThat(next).contains("Act on the matching job…");
  }

  @Test
  void a_search_that_found_nothing_says_so_only_at_its_end() {
    String next = last(page("/ui/jobs?q=kind%3Anone"));

    assertThat(next).contains("No jobs match.", "no longer have payloads").doesNotContain("~0");
    assertThat(page("/ui/jobs/count?q=kind%3Anone&act=true"))
        .contains("none found so far", "Act on all matching jobs…")
        .doesNotContain("~0");
  }

  @Test
  void a_search_stops_where_its_reader_stops_it_and_goes_on_when_asked() {
    String first = page("/ui/jobs?q=kind%3Awanted");

    String stopped = part(link(BUTTON, first));

    assertThat(stopped)
        .contains("Stopped.", "Looked at 5,000 jobs", ">Look further</a>")
        .doesNotContain("hx-trigger", wanted);
    assertThat(last(part(link(BUTTON, stopped)))).contains("row-" + wanted);
  }

  @Test
  void a_search_that_ends_early_says_in_one_number_how_many_it_has_found() {
    String stop = link(BUTTON, page("/ui/jobs?q=kind%3Awanted"));

    assertThat(part(stop.replace("found=0", "found=50")))
        .contains(
            "innerHTML:#count\">50 found so far<", "and found 50.", ">Act on all matching jobs…<");
    assertThat(part(stop)).doesNotContain("#count\"");
  }

  @Test
  void only_a_browser_with_scripts_shows_a_way_to_stop() {
    assertThat(page("/ui/jobs?q=kind%3Awanted"))
        .contains("<a class=\"button scripted\" id=\"further-button\"")
        .containsPattern("<noscript><p><a class=\"button\" [^>]*>Look further</a>");
    assertThat(page("/ui/files/ebb.css"))
        .contains("@media (scripting: none) { .scripted { display: none");
  }

  @Test
  void a_browser_without_scripts_looks_further_page_by_page() {
    String stopped = page(link(BUTTON, page("/ui/jobs?q=kind%3Awanted")));
    assertThat(stopped).contains("<h1>Jobs</h1>", "Stopped.", ">Look further</a>");

    // A page looks for a second: on a busy machine it may take more than one.
    String next = page(link(BUTTON, stopped));
    while (next.contains(">Look further</a>")) {
      next = page(link(BUTTON, next));
    }

    assertThat(next)
        .contains("<h1>Jobs</h1>", "row-" + wanted, "found 1")
        .doesNotContain("/ui/jobs/further.csv");
  }

  @Test
  void a_search_has_a_budget_and_says_what_it_did_within_it() {
    String spent = link(NEXT, page("/ui/jobs?q=kind%3Awanted")).replace("millis=0", "millis=29999");

    String next = part(spent.replace("jobs=0", "jobs=999999"));

    assertThat(next)
        .contains("Looked at 10,000 jobs, back to", ">Look further</a>")
        .doesNotContain("hx-trigger");
  }
}
