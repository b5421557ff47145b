package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.app.merchant.Behaviour;
import dev.ebb.db.Proof;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What failed at one merchant is assigned and redriven from its page. */
@Proof
class DestinationTriageClicksTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String GROUPED =
      "select count(*) = 6 from ebb.dead_letter where error_group is not null";

  private Cluster cluster;
  private Page page;

  @BeforeEach
  void loseOfTwo() {
    cluster = Cluster.started();
    cluster.behave(Behaviour.ERROR);
    lose("acme", 4);
    lose("bakery", 2);
    cluster.await(GROUPED);
    cluster.behave(Behaviour.OK);
    page = CHROMIUM.signIn(cluster, Look.LIGHT, cluster.token("ada", "operator"));
    page.navigate("/ui/destinations/acme");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void lose(String merchant, int many) {
    cluster.change(
        "PUT", "/v1/destinations/" + merchant, Map.of("url", cluster.merchant() + "/notify"));
    for (int i = 0; i < many; i++) {
      cluster.change(
          "POST",
          "/v1/jobs",
          Map.of(
              "kind",
              "http",
              "destination",
              merchant,
              "maxAttempts",
              1,
              "payload",
              Map.of("body", Map.of("order", i))));
    }
  }

  private static Locator named(Locator place, AriaRole role, String name) {
    return place.getByRole(
        role, new Locator.GetByRoleOptions().setName(Pattern.compile("^" + name)));
  }

  @Test
  void an_operator_redrives_an_error_of_a_destination_in_stages_and_nothing_of_others() {
    named(page.locator("main ul.groups"), AriaRole.LINK, "Redrive").click();
    assertThat(page.locator("#plan")).containsText("Redrives 4 jobs");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Redrive 4 jobs")).click();

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
    String operation = page.url().replaceFirst(".*/", "");
    cluster.await("select state = 'paused' from ebb.operation where id = '" + operation + "'");
    assertThat(cluster.value("select string_agg(queue, ',') from ebb.history")).isEqualTo("acme");
    cluster.change("POST", "/v1/operations/" + operation + "/resume", Map.of());
    cluster.await("select count(*) = 4 from ebb.history where queue = 'acme'");
    assertThat(cluster.value("select string_agg(queue, ',') from ebb.dead_letter"))
        .isEqualTo("bakery,bakery");
  }

  @Test
  void an_operator_assigns_an_error_of_a_destination_which_its_page_then_says() {
    named(page.locator("main ul.groups"), AriaRole.BUTTON, "Assign").click();
    Locator dialog = page.locator("dialog[open]");
    assertThat(dialog.locator("input[name=assignee]")).hasValue("ada");
    dialog.locator("input[name=assignee]").fill("the acme team");
    named(dialog, AriaRole.BUTTON, "Assign").click();

    assertThat(page.locator("main ul.groups")).containsText("assigned to the acme team");
    assertThat(
            cluster.value(
                "select string_agg(queue, ',') from ebb.error_group where assignee is not null"))
        .isEqualTo("acme");
  }

  @Test
  void the_list_of_destinations_leads_to_the_groups_of_one_where_each_is_assigned() {
    page.navigate("/ui/dead?by=destination");
    Locator rows = page.locator("table.triage tbody tr");
    assertThat(rows).hasCount(2);
    assertThat(rows.first()).containsText("acme");
    named(rows.first(), AriaRole.LINK, "acme").click();
    page.waitForURL(Pattern.compile("row="));

    named(page.locator("table.triage"), AriaRole.BUTTON, "Assign").click();
    named(page.locator("dialog[open]"), AriaRole.BUTTON, "Assign").click();

    assertThat(page.locator("table.triage")).containsText("assigned to ada");
  }
}
