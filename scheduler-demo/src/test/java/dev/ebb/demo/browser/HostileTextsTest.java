package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitUntilState;
import dev.ebb.db.HostileTexts;
import dev.ebb.db.Proof;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Url;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What people, receivers and nodes wrote is text in a browser, wherever it stands. */
@Proof
class HostileTextsTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  /** The elements that such a text has made; what would have run is on the console besides. */
  private static final String MADE =
      """
      () => {
        const made = document.querySelectorAll(
          '[onmouseover], [onerror], [onload], img[src="x"], script:not([src]):not([type])');
        const linked = [...document.querySelectorAll('[href], [src], [action]')].filter((one) =>
          ['href', 'src', 'action'].some((name) =>
            /^\\s*javascript:/i.test(one.getAttribute(name) ?? '')));
        return [...made, ...linked].map((one) => one.outerHTML.slice(0, 300));
      }
      """;

  private static final Page.NavigateOptions LOADED =
      new Page.NavigateOptions().setWaitUntil(WaitUntilState.DOMCONTENTLOADED);

  private static final String TELL = "window.EVIL7 = () => console.error('EVIL7 has run')";

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    Hostile.fill(cluster);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Page page() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.addInitScript(TELL);
    return page;
  }

  private static String value(String sql, int number) {
    return cluster.value(sql.formatted(number));
  }

  /** Of one text: each page that shows it alone. */
  private static List<String> pages(int number, String text) {
    return List.of(
        "/ui/jobs/" + value("select id from ebb.job where queue = 'waiting-%s'", number),
        "/ui/jobs/" + value("select id from ebb.job where queue = 'running-%s'", number),
        "/ui/jobs/" + value("select id from ebb.dead_letter where queue = 'dead-%s'", number),
        "/ui/jobs/"
            + value(
                """
                select id from ebb.history join public.hostile on t = unique_key where i = '%s'
                """,
                number),
        "/ui/dead/" + value("select id from ebb.error_group where queue = 'dead-%s'", number),
        "/ui/operations/"
            + value(
                "select id from ebb.operation join public.hostile on t = actor where i = '%s'",
                number),
        "/ui/queues/waiting-" + number,
        "/ui/schedules/schedule-" + number,
        "/ui/schedules/schedule-" + number + "/edit",
        Url.of("/ui/audit", "actor", text),
        Url.of("/ui/jobs", "q", Search.token("key", text)));
  }

  @Test
  void each_text_is_shown_as_text_on_the_pages_of_what_it_stands_in() {
    // It leaves a page sooner than the server sees that the page's stream was left.
    CHROMIUM.expect("status of 429 .*/v1/events");
    List<String> texts = HostileTexts.all();
    Page page = page();
    for (int i = 0; i < texts.size(); i++) {
      for (String path : pages(i, texts.get(i))) {
        page.navigate(path, LOADED);
        assertThat(page.evaluate("() => document.body.textContent"))
            .as(path)
            .asString()
            .contains(texts.get(i));
        assertThat((List<?>) page.evaluate(MADE)).as(path).isEmpty();
      }
    }
  }

  @Test
  void no_text_runs_on_any_page() {
    CHROMIUM.expect("status of 4(00|22) .*nonsense");
    Page page = page();
    String job = value("select id from ebb.job where queue = 'waiting-%s'", 0);
    for (Map.Entry<String, String> one : Pages.all(cluster, job, "waiting-0").entrySet()) {
      page.navigate(one.getValue());
      page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)");
      assertThat((List<?>) page.evaluate(MADE)).as(one.getKey()).isEmpty();
    }
  }

  /** The control: a page that wrote them as they are. */
  @Test
  void a_text_that_is_not_escaped_is_found() {
    CHROMIUM.expect("Content Security Policy|status of 404|/ui/x");
    Page page = page();
    page.navigate("/ui/login");
    String write = "html => { document.querySelector('main').innerHTML = html; }";
    long found = 0;
    for (String text : HostileTexts.all()) {
      page.evaluate(write, "<p title=\"" + text + "\"><a href=\"" + text + "\">" + text + "</a>");
      found += ((List<?>) page.evaluate(MADE)).isEmpty() ? 0 : 1;
    }

    assertThat(found).isGreaterThanOrEqualTo(30);
  }
}
