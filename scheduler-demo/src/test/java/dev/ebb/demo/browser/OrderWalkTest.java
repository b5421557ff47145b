package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.db.Proof;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who knows an order's number or a merchant's name alone is soon where it can be mended. */
@Proof
class OrderWalkTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static Cluster cluster;
  private static String job;
  private static String operator;

  private Page page;
  private int clicks;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    operator = cluster.token("ada", "admin");
    cluster.change(
        "PUT", "/v1/destinations/acme", Map.of("url", cluster.merchant() + "/as/500/notify"));
    job =
        cluster
            .change(
                "POST",
                "/v1/jobs",
                Map.of(
                    "kind", "http",
                    "destination", "acme",
                    "labels", Map.of("order", "4711-88"),
                    "policy", Map.of("jitter", "equal", "base", "PT1H", "cap", "PT2H"),
                    "payload", Map.of("body", Map.of("invoice", "88-0001"))))
            .field("id");
    cluster.await("select count(*) = 1 from ebb.job where attempt = 1");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void signIn() {
    page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);
  }

  private void search(String text) {
    Locator field = page.locator(".top input[type=search]");
    field.fill(text);
    field.press("Enter");
  }

  private void click(Locator locator) {
    locator.click();
    clicks++;
  }

  private Locator link(String name) {
    return page.locator("main")
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private void assertIsTheJob() {
    page.waitForURL(Pattern.compile("/ui/jobs/" + job + "$"));
    assertThat(page.locator("h1")).containsText("acme");
    assertThat(page.locator("main")).containsText("answered 500 once; attempt 2 is due at");
    assertThat(page.locator("main")).containsText("Retry now");
  }

  @Test
  void the_number_of_an_order_opens_its_job_and_one_click_leads_to_its_merchant() {
    search("4711-88");
    assertIsTheJob();
    click(page.locator(".facts a[href='/ui/queues/acme']"));

    assertThat(page.locator("main")).containsText("Recover");
    assertThat(page.locator("#attempts")).containsText("http_500");
    assertThat(clicks).isEqualTo(1);
  }

  @Test
  void a_number_that_only_a_payload_has_leads_to_its_job_in_two_clicks() {
    search("88-0001");
    click(link("Look for it in payloads"));
    click(page.locator("table a[href='/ui/jobs/" + job + "']").first());

    assertIsTheJob();
    assertThat(clicks).isEqualTo(2);
  }

  @Test
  void a_merchants_name_leads_to_its_page_in_one_click_where_what_it_lost_can_be_counted() {
    search("acme");
    click(link("Destination acme"));
    click(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Recover")));

    assertThat(page.locator("dialog[open] [data-told]")).not().containsText("Counting");
    assertThat(clicks).isEqualTo(2);
  }
}
