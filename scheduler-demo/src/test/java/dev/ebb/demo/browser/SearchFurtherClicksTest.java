package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import dev.ebb.db.Proof;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A search that no index answers: it goes on by itself, and stops at a key. */
@Proof
class SearchFurtherClicksTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String FILL =
      """
      insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
      select now() + interval '1 day', 3, 5, 'q', 'wanted', '"rare"';
      insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
      select now() + interval '1 day', 3, 5, 'q', 'other', '1' from generate_series(1, 12000);
      """;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    cluster.execute(FILL);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Page signedIn() {
    return CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
  }

  private static Locator found(Page page) {
    return page.locator("#found tr");
  }

  @Test
  void rows_come_by_themselves_and_all_places_tell_the_number_that_was_found() {
    Page page = signedIn();

    Pages.open(page, "/ui/jobs?q=kind:wanted");

    assertThat(found(page)).hasCount(1);
    assertThat(page.locator("#searched")).containsText("Searched to the end");
    assertThat(page.locator("#count")).hasText("1 job");
    assertThat(page.locator("#act-on-all")).hasText("Act on the matching job…");
    assertThat(page.locator("progress")).hasCount(0);
  }

  @Test
  void an_estimate_that_comes_after_the_search_has_ended_is_not_shown() {
    Page page = signedIn();
    LinkedBlockingQueue<Route> held = new LinkedBlockingQueue<>();
    page.route(url -> url.contains("/jobs/count"), held::add);
    page.navigate(cluster.origin() + "/ui/jobs?q=kind:wanted");
    assertThat(page.locator("#count")).hasText("1 job");

    Response late = page.waitForResponse("**/jobs/count*", () -> held.remove().resume());

    late.finished();
    page.evaluate("() => new Promise(requestAnimationFrame)");
    assertThat(page.locator("#count")).hasText("1 job");
    assertThat(page.locator("#act-on-all")).hasText("Act on the matching job…");
  }

  @Test
  void a_key_stops_it_and_the_same_key_lets_it_go_on() {
    Page page = signedIn();
    LinkedBlockingQueue<Route> held = new LinkedBlockingQueue<>();
    page.route(url -> url.contains("/jobs/further") && !url.contains("stop="), held::add);
    page.navigate(cluster.origin() + "/ui/jobs?q=payload:none");
    Locator button = page.locator("#further-button");
    assertThat(button).hasText("Stop");
    page.waitForCondition(() -> !held.isEmpty());

    button.focus();
    page.keyboard().press("Enter");
    assertThat(button).hasText("Stopping…");
    held.remove().resume();

    assertThat(page.locator("#searched")).containsText("Stopped. Looked at");
    assertThat(button).hasText("Look further");
    assertThat(button).isFocused();
    page.unrouteAll();
    page.keyboard().press("Enter");
    assertThat(page.locator("#searched")).containsText("No jobs match.");
  }

  @Test
  void without_scripts_nothing_runs_that_could_be_stopped() {
    BrowserContext signedIn = signedIn().context();
    try (BrowserContext bare =
        signedIn
            .browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setJavaScriptEnabled(false)
                    .setStorageState(signedIn.storageState()))) {
      Page page = bare.newPage();
      page.navigate(cluster.origin() + "/ui/jobs?q=payload:none");

      assertThat(page.locator("#further noscript .button")).isVisible();
      assertThat(page.locator("#further-button")).isHidden();
    }
  }

  /** The count gives up long before it comes to the job; the sample behind it may have it. */
  @Test
  void an_operation_starts_on_jobs_that_its_preview_did_not_come_to() {
    Page page = signedIn();
    Pages.open(page, "/ui/operations/new?action=hold&q=payload%3Arare");
    assertThat(page.locator("#plan"))
        .hasText(Pattern.compile("Found none so far\\. .+|Holds ~\\d+ jobs, .+"));

    page.locator("#go").click();

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
    cluster.await(
        """
        select count(*) = 1 from ebb.operation_item i join ebb.job j on j.id = i.job_id
        where j.kind = 'wanted'
        """);
  }
}
