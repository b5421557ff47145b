package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.app.merchant.Behaviour;
import dev.ebb.db.Vital;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The night for which the dashboard is made: a merchant fails, and somebody has to mend it. */
@Vital
class NightTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String QUEUE = "notifications";
  private static final int DEAD = 5;
  private static final int BACKLOG = 500;
  private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)/s");
  private static final Page.LocatorOptions WARM_UP =
      new Page.LocatorOptions().setHasText("Warm-up");

  private static Cluster cluster;
  private static String operator;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    operator = cluster.token("ada", "operator");
    cluster.change(
        "PUT",
        "/v1/queues/" + QUEUE,
        Map.of(
            "paused",
            false,
            "rateLimit",
            Map.of("permitsPerSecond", 20, "warmUp", "PT30S", "coldFactor", 4),
            "policy",
            Map.of("jitter", "full", "base", "PT2M", "cap", "PT20M", "maxAttempts", 8)));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void does(Page page, String dialog, String button) {
    Locator open = page.locator("dialog[open]");
    assertThat(open.locator("h2")).containsText(dialog);
    open.getByLabel("Reason").fill("the merchant fixed it");
    open.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button)).click();
    assertThat(open).hasCount(0);
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  private static Locator link(Page page, String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
  }

  /** Whether the page is still the document that was marked: it was never loaded anew. */
  private static void mark(Page page) {
    page.evaluate("() => { window.mark = 'the same' }");
  }

  private static void assertNeverLoadedAnew(Page page) {
    assertThat(page.evaluate("() => window.mark")).isEqualTo("the same");
  }

  @Test
  void a_job_is_watched_while_it_fails_and_is_mended_from_its_page() {
    cluster.behave(Behaviour.ERROR);
    cluster.change("POST", "/v1/queues/" + QUEUE + "/pause", Map.of());
    String id = cluster.submit(QUEUE, Map.of("labels", Map.of("merchant", "bakery-lyon")));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);
    page.navigate("/ui/jobs/" + id);
    assertThat(page.locator("main")).containsText("paused");
    mark(page);

    cluster.change("POST", "/v1/queues/" + QUEUE + "/resume", Map.of());

    assertThat(page.locator(".title .state")).hasText("retrying");
    assertThat(page.locator("svg.for-wide .band").first()).isVisible();
    assertThat(page.locator("figcaption .policy"))
        .hasText(
            Pattern.compile(
                "First try and up to 7 retries, full jitter, .* doubling to a .* cap; gives up"
                    + " about .*"));
    page.locator(".attempt summary").click();
    assertThat(page.locator(".attempt")).containsText("/orders");
    assertThat(page.locator(".attempt")).containsText("the merchant was told to fail");

    cluster.behave(Behaviour.OK);
    button(page, "Retry now").first().click();
    does(page, "Retry now", "Retry now");

    assertThat(page.locator(".title .state")).hasText("completed");
    assertThat(page.locator("main")).containsText("the merchant fixed it");
    assertNeverLoadedAnew(page);
  }

  @Test
  void four_clicks_lead_from_the_start_to_a_redrive_by_stages() {
    cluster.behave(Behaviour.ERROR);
    for (int i = 0; i < DEAD; i++) {
      cluster.submit(QUEUE, Map.of("maxAttempts", 1));
    }
    cluster.await(
        "select count(*) = %s from ebb.dead_letter where error_group is not null".formatted(DEAD));
    cluster.behave(Behaviour.OK);
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);

    link(page, "Dead letters").first().click();
    page.locator("table.triage tbody th a").click();
    assertThat(page.locator(".exchange").first()).containsText("POST " + cluster.merchant());
    assertThat(page.locator(".exchange").first()).containsText("the merchant was told to fail");
    link(page, "Redrive in stages").click();
    assertThat(page.locator("#plan")).containsText("Redrives " + DEAD + " jobs");
    button(page, "Redrive " + DEAD + " jobs").click();

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
    assertThat(page.locator("main > p:not(.path)").first()).containsText("check its results");
    assertThat(page.locator(".facts")).containsText("Done1");
    assertThat(page.locator(".exchange")).hasCount(1);
    assertThat(page.locator(".exchange")).containsText("200");
    button(page, "Resume").first().click();
    does(page, "Resume", "Resume");
    assertThat(page.locator("main > p .state")).hasText("completed");
    assertThat(page.locator(".facts")).containsText("Done" + DEAD);
    assertThat(page.locator(".stages li")).hasCount(2);
    assertThat(page.locator(".stages li.done")).hasCount(2);
    cluster.await(
        "select count(*) = %s from ebb.history where max_attempts = 1 and not cancelled"
            .formatted(DEAD));
  }

  @Test
  void the_queues_page_shows_its_curve_and_where_it_stands_on_it() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);

    link(page, "Queues").first().click();
    link(page, QUEUE).first().click();

    Locator warmUp = page.locator("section.card", WARM_UP).first();
    assertThat(warmUp.locator("svg.for-wide")).isVisible();
    assertThat(warmUp.locator("svg.for-wide .here, svg.for-wide .held").first()).isAttached();
    assertThat(warmUp.locator("figcaption")).not().isEmpty();
    warmUp.locator("summary").click();
    assertThat(warmUp.locator("table tbody tr").first()).isVisible();
  }

  @Test
  void a_queue_that_comes_back_cold_is_seen_to_warm_up_without_a_reload() {
    cluster.behave(Behaviour.OK);
    // However long the submits take, the backlog is whole when the warm-up begins.
    cluster.change("POST", "/v1/queues/" + QUEUE + "/pause", Map.of());
    for (int i = 0; i < BACKLOG; i++) {
      cluster.submit(QUEUE, Map.of());
    }
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);
    page.navigate("/ui/queues/" + QUEUE);
    mark(page);
    cluster.change("POST", "/v1/queues/" + QUEUE + "/resume", Map.of());
    button(page, "Restart warm-up").click();
    does(page, "Restart the warm-up", "Restart");

    Locator caption = page.locator("section.card", WARM_UP).first().locator("figcaption");
    page.waitForCondition(() -> caption.textContent().contains("Warming up"));
    double cold = rate(caption);
    page.waitForCondition(() -> rate(caption) > cold);
    page.waitForCondition(() -> caption.textContent().contains("Warm: 20/s"));
    assertNeverLoadedAnew(page);
  }

  /** The jobs a second that the caption tells. */
  private static double rate(Locator caption) {
    Matcher told = RATE.matcher(caption.textContent());
    return told.find() ? Double.parseDouble(told.group(1)) : 0;
  }
}
