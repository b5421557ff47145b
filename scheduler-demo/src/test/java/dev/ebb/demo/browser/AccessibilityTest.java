package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import dev.ebb.demo.ToldStory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing serious that axe finds: contrast, names of fields and buttons, order of headings. */
@Proof
class AccessibilityTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String FIND =
      """
      async (place) => {
        const found = await axe.run(place, { resultTypes: ["violations"] });
        return found.violations
          .filter((one) => one.impact === "serious" || one.impact === "critical")
          .map((one) => `${one.id}: ${one.help}, as in ${one.nodes[0].html.slice(0, 200)}, `
            + `${one.nodes[0].failureSummary.slice(0, 300)}`);
      }
      """;

  private static final String DIALOGS =
      "all => all.map(one => one.dataset.dialog).filter(id => document.getElementById(id))";

  /** The reference has hundreds of parts from the same templates: a tenth stands for all. */
  private static final String UNFOLD =
      """
      () => document.querySelectorAll('details').forEach((one, i) => {
        one.open = !one.matches('.operation') || i % 10 === 0;
      })
      """;

  private static Cluster cluster;
  private static Map<String, String> pages;
  private static String axe;

  @BeforeAll
  static void start() throws IOException {
    try (InputStream script = AccessibilityTest.class.getResourceAsStream("/axe.min.js")) {
      axe = new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
    cluster = Cluster.started();
    String job = Quiet.fill(cluster);
    ToldStory.tell(cluster.config(), cluster.merchant(), 15, Duration.ZERO);
    pages = Pages.all(cluster, job, Quiet.QUEUE);
    Map<String, String> merchants = Merchants.fill(cluster);
    merchants.keySet().removeIf(name -> name.matches("destination-merchant-(017|077|123|150)"));
    pages.putAll(merchants);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @SuppressWarnings("unchecked")
  private static void look(Page page, String name, String place, Set<String> found) {
    for (String one : (List<String>) page.evaluate(FIND, place)) {
      found.add(one + " [" + name + "]");
    }
  }

  /** Dark on a phone has the colours of the one and the order of the other. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PHONE_DARK")
  @SuppressWarnings("unchecked")
  void nothing_serious_is_found_on_any_page_and_in_any_dialog(Look look) {
    CHROMIUM.expect("status of 4(00|22) .*nonsense");
    Page page = CHROMIUM.signIn(cluster, look, Cluster.ADMIN);
    Set<String> found = new TreeSet<>();
    for (Map.Entry<String, String> one : pages.entrySet()) {
      Pages.open(page, one.getValue());
      page.evaluate(axe);
      page.evaluate(UNFOLD);
      look(page, one.getKey(), "body", found);
      List<String> dialogs = (List<String>) page.locator("[data-dialog]").evaluateAll(DIALOGS);
      for (String dialog : Set.copyOf(dialogs)) {
        page.evaluate("id => document.getElementById(id).showModal()", dialog);
        look(page, one.getKey() + " " + dialog, "dialog[open]", found);
        page.evaluate("id => document.getElementById(id).close()", dialog);
      }
    }

    assertThat(found).isEmpty();
  }
}
