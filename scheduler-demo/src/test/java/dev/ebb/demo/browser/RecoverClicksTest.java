package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.app.merchant.Behaviour;
import dev.ebb.db.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A merchant that was down is recovered from its page. */
@Proof
class RecoverClicksTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final int DEAD = 3;

  @Test
  void an_operator_recovers_what_a_destination_lost_in_the_last_day() {
    try (Cluster cluster = Cluster.started()) {
      cluster.behave(Behaviour.ERROR);
      lose(cluster);
      cluster.behave(Behaviour.OK);
      Page page = CHROMIUM.signIn(cluster, Look.LIGHT, cluster.token("ada", "operator"));
      page.navigate("/ui/destinations/acme");

      button(page.locator("main"), "Recover").click();
      Locator dialog = page.locator("dialog[open]");
      String since = dialog.locator("input[name=since]").inputValue();
      String shown = (String) page.evaluate("at => new Date(at).toISOString()", since);
      assertThat(Duration.between(Instant.parse(shown), Instant.now()))
          .isBetween(Duration.ofHours(24), Duration.ofHours(24).plusMinutes(3));
      dialog.locator("select[name=pauseAfterStages]").selectOption("0");
      button(dialog, "Recover").click();

      page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
      assertThat(page.locator("main")).containsText("acme");
      cluster.await("select count(*) = 3 from ebb.history");
      assertThat(cluster.value("select count(*) from ebb.dead_letter")).isEqualTo("0");
      // An operation's page asks for news: it is gone before its server.
      page.close();
    }
  }

  private static void lose(Cluster cluster) {
    cluster.change("PUT", "/v1/destinations/acme", Map.of("url", cluster.merchant() + "/notify"));
    for (int i = 0; i < DEAD; i++) {
      cluster.change(
          "POST",
          "/v1/jobs",
          Map.of(
              "kind",
              "http",
              "destination",
              "acme",
              "maxAttempts",
              1,
              "payload",
              Map.of("body", Map.of("order", i))));
    }
    cluster.await("select count(*) = 3 from ebb.dead_letter");
  }

  private static Locator button(Locator place, String name) {
    return place.getByRole(
        AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }
}
