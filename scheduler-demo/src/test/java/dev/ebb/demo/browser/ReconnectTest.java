package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.BoundingBox;
import dev.ebb.db.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An open page says when it is cut off, and catches up by itself. */
@Proof
class ReconnectTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Page jobPage(String id) {
    Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
    page.navigate("/ui/jobs/" + id);
    assertThat(page.locator("#live")).hasText("live");
    assertThat(page.locator(".title .state")).hasText("scheduled");
    return page;
  }

  @Test
  void a_restart_of_the_server_is_told_and_survived() {
    CHROMIUM.expect("failed request: net::ERR_\\w+ .*/v1/events");
    CHROMIUM.expect("console error: .*net::ERR_(CONNECTION|EMPTY|INCOMPLETE)_\\w+");
    CHROMIUM.expect("console error: .*status of 503");
    CHROMIUM.expect("console error: htmx:(afterRequest|sendError)");
    CHROMIUM.expect("failed request: net::ERR_\\w+ .*/ui/");
    String id = cluster.submit("orders", Map.of("delay", "PT1H"));
    Page page = jobPage(id);

    cluster.stop();
    assertThat(page.locator("#live")).hasText("connection lost, trying again");
    assertThat(page.locator("#live")).isVisible();
    cluster.start();
    cluster.change("POST", "/v1/jobs/" + id + "/cancel", Map.of());

    assertThat(page.locator("#live")).hasText("live");
    assertThat(page.locator(".title .state")).hasText("cancelled");
  }

  @Test
  void a_stream_that_is_refused_is_told_without_alarm_and_asked_for_again() {
    CHROMIUM.expect("console error: .*status of 429");
    Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
    page.route("**/v1/events*", route -> route.fulfill(new FulfillOptions().setStatus(429)));
    page.navigate("/ui/nodes");

    assertThat(page.locator("#live")).hasText("refreshed every 5 s");
    page.unroute("**/v1/events*");

    assertThat(page.locator("#live")).hasText("live");
  }

  @Test
  void who_passes_through_a_page_opens_no_stream_and_who_stays_sees_what_came_meanwhile() {
    String id = cluster.submit("orders", Map.of("delay", "PT1H"));
    Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
    page.navigate("/ui/lab");
    List<String> streams = new ArrayList<>();
    page.onRequest(request -> {
      if (request.url().contains("/v1/events")) {
        streams.add(request.url());
      }
    });
    page.clock().install();
    page.clock().pauseAt(System.currentTimeMillis() + 60_000);
    for (int i = 0; i < 5; i++) {
      page.navigate("/ui/nodes");
    }
    page.navigate("/ui/jobs/" + id);
    cluster.change("POST", "/v1/jobs/" + id + "/cancel", Map.of());
    assertThat(page.locator(".title .state")).hasText("scheduled");
    page.clock().resume();

    assertThat(page.locator(".title .state")).hasText("cancelled");
    Assertions.assertThat(streams).singleElement().asString().contains("job=" + id);
  }

  @Test
  void a_tab_that_nobody_looked_at_for_an_hour_catches_up() {
    String id = cluster.submit("orders", Map.of("delay", "PT1H"));
    Page page = jobPage(id);
    String look =
        """
        hidden => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }
        """;

    page.clock().install();
    page.evaluate(look, true);
    page.clock().fastForward("01:00:00");
    cluster.change("POST", "/v1/jobs/" + id + "/cancel", Map.of());
    assertThat(page.locator(".title .state")).hasText("scheduled");
    page.evaluate(look, false);

    assertThat(page.locator(".title .state")).hasText("cancelled");
  }

  @Test
  void what_changes_while_a_dialog_is_open_is_drawn_when_it_is_closed() {
    String id = cluster.submit("orders", Map.of("delay", "PT1H"));
    Page page = jobPage(id);
    page.clock().install();
    page.reload();
    assertThat(page.locator("#live")).hasText("live");
    page.evaluate("() => document.querySelector('dialog').showModal()");
    page.evaluate(
        """
        id => new EventSource("/v1/events?job=" + id)
          .addEventListener("job", () => { window.heard = true; })
        """,
        id);

    cluster.change("POST", "/v1/jobs/" + id + "/cancel", Map.of());
    page.waitForFunction("() => window.heard");
    page.clock().fastForward(5_000);
    assertThat(page.locator(".title .state")).hasText("scheduled");
    page.evaluate("() => document.querySelector('dialog[open]').close()");

    assertThat(page.locator(".title .state")).hasText("cancelled");
  }

  @Test
  void a_dialog_that_is_opened_while_the_page_is_asked_for_stays_open() {
    String id = cluster.submit("orders", Map.of("delay", "PT1H"));
    Page page = jobPage(id);
    page.waitForFunction("() => !document.querySelector('.htmx-request')");
    List<Route> held = new ArrayList<>();
    page.route("**/ui/jobs/" + id, held::add);
    cluster.change("POST", "/v1/jobs/" + id + "/cancel", Map.of());
    page.waitForCondition(() -> !held.isEmpty());
    page.evaluate("() => document.querySelector('dialog').showModal()");

    page.waitForResponse("**/ui/jobs/" + id, held.getFirst()::resume);
    page.unroute("**/ui/jobs/" + id);
    page.evaluate("() => new Promise(requestAnimationFrame)");

    assertThat(page.locator("dialog[open]")).isVisible();
    assertThat(page.locator(".title .state")).hasText("scheduled");
    page.evaluate("() => document.querySelector('dialog[open]').close()");
    assertThat(page.locator(".title .state")).hasText("cancelled");
  }

  @Test
  void rows_of_a_list_stay_where_they_are_until_somebody_asks_for_what_is_new() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.addFirst(cluster.submit("calm", Map.of("delay", "PT1H")));
    }
    Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
    Pages.open(page, "/ui/jobs?q=queue%3Acalm");
    assertThat(page.locator("#live")).hasText("live");
    page.locator("#pick-" + ids.get(1)).check();
    Locator rows = page.locator("main tbody tr");
    BoundingBox before = rows.nth(2).boundingBox();

    String first = cluster.submit("calm", Map.of("delay", "PT1H"));
    cluster.submit("calm", Map.of("delay", "PT1H"));
    cluster.change("POST", "/v1/jobs/" + ids.get(2) + "/cancel", Map.of());

    Locator bar = page.locator("#news button");
    assertThat(bar).hasText("2 new, show");
    assertThat(rows).hasCount(3);
    assertThat(rows.nth(2)).hasId("row-" + ids.get(2));
    assertThat(rows.nth(2).locator(".state")).hasText("cancelled");
    Assertions.assertThat(rows.nth(2).boundingBox()).usingRecursiveComparison().isEqualTo(before);

    bar.click();
    assertThat(rows).hasCount(5);
    assertThat(rows.nth(1)).hasId("row-" + first);
    assertThat(page.locator("#pick-" + ids.get(1))).isChecked();
    assertThat(bar).hasCount(0);
    assertThat(page.locator(".scroll")).isFocused();
  }

  @Test
  void a_list_of_which_no_row_is_left_and_more_follow_has_at_least_what_is_shown_of_news() {
    String before = cluster.submit("flooded", Map.of("delay", "PT1H"));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    Pages.open(page, "/ui/jobs?q=queue%3Aflooded");
    assertThat(page.locator("#live")).hasText("live");

    cluster.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now() + interval '1 hour', 0, 3, 5, 'flooded', 'invoice', '{}'
        from generate_series(1, 60)
        """);
    cluster.change("POST", "/v1/jobs/" + before + "/cancel", Map.of());

    assertThat(page.locator("#news button")).hasText("At least 50 new, show");
    assertThat(page.locator("#row-" + before)).not().hasClass("gone");
  }

  /** A cell that would fill itself may move others, and so it waits for somebody to ask. */
  @Test
  void what_would_move_cells_is_told_as_changed() {
    Map<String, String> refused = Map.of("url", cluster.merchant() + "/as/500/no");
    String id = cluster.submit("filled", Map.of("delay", "PT1H", "payload", refused));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    Pages.open(page, "/ui/jobs?q=queue%3Afilled&columns=job%2Cerror");
    assertThat(page.locator("#live")).hasText("live");

    cluster.change("POST", "/v1/jobs/" + id + "/retry", Map.of());
    assertThat(page.locator("#news button")).hasText("Changed, show");
    page.locator("#news button").click();

    assertThat(page.locator("[data-now=error]")).containsText("http_500");
    assertThat(page.locator("#news button")).hasCount(0);
  }

  @Test
  void news_go_on_after_another_tab_has_taken_columns_away() {
    String stays = cluster.submit("narrowed", Map.of("delay", "PT1H"));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    Pages.open(page, "/ui/jobs?q=queue%3Anarrowed");
    assertThat(page.locator("#live")).hasText("live");
    page.context().request().get("/ui/jobs?apply=true&columns=job");

    cluster.submit("narrowed", Map.of("delay", "PT1H"));
    cluster.change("POST", "/v1/jobs/" + stays + "/cancel", Map.of());

    assertThat(page.locator("#news button")).hasText("1 new, show");
  }

  @Test
  void rows_that_have_left_a_list_are_told_and_go_when_somebody_asks() {
    String stays = cluster.submit("leaving", Map.of("delay", "PT1H"));
    String leaves = cluster.submit("leaving", Map.of("delay", "PT1H"));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/jobs?q=queue%3Aleaving+state%3Ascheduled");
    assertThat(page.locator("#live")).hasText("live");

    cluster.change("POST", "/v1/jobs/" + leaves + "/cancel", Map.of());
    assertThat(page.locator("#news button")).hasText("1 gone, show");
    assertThat(page.locator("#row-" + leaves)).hasClass("gone");
    page.locator("#news button").click();

    assertThat(page.locator("main tbody tr")).hasCount(1);
    assertThat(page.locator("#row-" + stays)).isVisible();
  }
}
