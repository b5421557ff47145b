package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.db.Proof;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A page of another server acts for nobody. It is on another port of the same host: to a browser
 * that is the same site, so the session's cookie goes along with what it sends.
 */
@Proof
class CrossSiteTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static Cluster cluster;
  private static HttpServer other;
  private static String pause;

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.started();
    Quiet.fill(cluster);
    pause = cluster.origin() + "/v1/queues/" + Quiet.QUEUE + "/pause";
    other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] html =
        """
        <!DOCTYPE html><title>Another</title>
        <form method="post" action="%s" enctype="text/plain"><button>Win</button></form>
        <iframe src="%s/ui"></iframe>
        """
            .formatted(pause, cluster.origin())
            .getBytes(StandardCharsets.UTF_8);
    other.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, html.length);
          exchange.getResponseBody().write(html);
          exchange.close();
        });
    other.start();
  }

  @AfterAll
  static void stop() {
    other.stop(0);
    cluster.close();
  }

  private static String otherOrigin() {
    return "http://127.0.0.1:" + other.getAddress().getPort();
  }

  private static Page signedInBeside() {
    CHROMIUM.expect("request elsewhere: " + otherOrigin());
    // What the browser says of what it keeps the other page from.
    CHROMIUM.expect(
        "console error: .*( CORS | CORS\\.|Content Security Policy|status of 40[34]|net::ERR_FAILED)");
    CHROMIUM.expect("failed request: (net::ERR_FAILED|net::ERR_BLOCKED_BY_\\w+) ");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate(otherOrigin());
    return page;
  }

  @Test
  void the_cookie_alone_changes_nothing() {
    CHROMIUM.expect("console error: .*status of 403");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    String before = Quiet.stored(cluster);

    String ask =
        """
        async (path) => {
          const answer = await fetch(path, { method: "POST", body: "{}",
            headers: { "Content-Type": "application/json" } });
          return answer.status + " " + (await answer.json()).code;
        }
        """;
    assertThat(page.evaluate(ask, pause)).isEqualTo("403 cross_site");
    String guess = ask.replace("headers: {", "headers: { \"Ebb-Page\": \"guessed\",");
    assertThat(page.evaluate(guess, pause)).isEqualTo("403 cross_site");
    assertThat(Quiet.stored(cluster)).isEqualTo(before);
  }

  @Test
  void a_form_of_another_page_changes_nothing() {
    Page page = signedInBeside();
    String before = Quiet.stored(cluster);

    Response answer = page.waitForResponse(pause, () -> page.locator("button").click());

    assertThat(answer.request().allHeaders().get("cookie")).contains("ebb_session=");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(Quiet.stored(cluster)).isEqualTo(before);
  }

  @Test
  void a_script_of_another_page_neither_reads_nor_changes() {
    Page page = signedInBeside();
    String before = Quiet.stored(cluster);
    String ask =
        """
        async ([path, options]) => {
          try {
            const answer = await fetch(path, { credentials: "include", ...options });
            return answer.type + " " + (await answer.text());
          } catch (refused) {
            return "refused";
          }
        }
        """;

    Object blind = Map.of("method", "POST", "mode", "no-cors", "body", "{}");
    assertThat(page.evaluate(ask, List.of(pause, blind))).isEqualTo("opaque ");
    Object open = Map.of("method", "POST", "body", "{}", "headers", Map.of("Ebb-Page", "guessed"));
    assertThat(page.evaluate(ask, List.of(pause, open))).isEqualTo("refused");
    Object reading = Map.of();
    assertThat(page.evaluate(ask, List.of(cluster.origin() + "/ui", reading))).isEqualTo("refused");
    assertThat(Quiet.stored(cluster)).isEqualTo(before);
  }

  @Test
  void another_page_does_not_frame_ours() {
    Page page = signedInBeside();

    assertThat(page.frames())
        .filteredOn(frame -> !frame.equals(page.mainFrame()))
        .allMatch(frame -> !frame.url().startsWith(cluster.origin()));
  }
}
