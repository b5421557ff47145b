package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.Route.FulfillOptions;
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
}
