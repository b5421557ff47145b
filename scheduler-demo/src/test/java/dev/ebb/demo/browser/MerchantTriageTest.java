package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.app.merchant.Behaviour;
import dev.ebb.db.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** A merchant with 500 of 1,000 dead letters that fail alike: its redrive is its own. */
@Proof
class MerchantTriageTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String MERCHANT = "bikes-ghent";
  private static final List<String> OTHERS =
      List.of("acme-rome", "bakery-lyon", "books-oslo", "shoes-porto", "tea-dublin");
  private static final int DEAD = 500;
  private static final int MOST_CLICKS = 4;

  /** Every column of the others' dead letters: any that is touched changes it. */
  private static final String OF_OTHERS =
      """
      select count(*) || ' ' || md5(string_agg(d::text, ',' order by d.id))
      from ebb.dead_letter d
      where d.labels ->> 'merchant' <> 'bikes-ghent'
      """;

  private static Cluster cluster;
  private static String operator;

  private int clicks;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    operator = cluster.token("ada", "operator");
    cluster.execute("update ebb.settings set subject = 'merchant'");
    cluster.behave(Behaviour.ERROR);
    submit(MERCHANT, DEAD);
    for (String other : OTHERS) {
      submit(other, DEAD / OTHERS.size());
    }
  }

  /** Also those that the test before has redriven, which died again. */
  @BeforeEach
  void awaitGroups() {
    cluster.await("select count(*) = 1000 from ebb.dead_letter where error_group is not null");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void submit(String merchant, int many) {
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      jobs.add(
          Map.of(
              "kind",
              "http",
              "queue",
              "refunds",
              "maxAttempts",
              1,
              "labels",
              Map.of("merchant", merchant),
              "payload",
              Map.of("url", cluster.merchant() + "/refunds", "body", Map.of("order", i))));
    }
    cluster.change("POST", "/v1/jobs/batch", Map.of("jobs", jobs));
  }

  private void click(Locator locator) {
    locator.click();
    clicks++;
  }

  @Test
  void four_clicks_lead_from_the_overview_to_the_redrive_of_one_merchant_which_stops_by_itself() {
    String others = cluster.value(OF_OTHERS);
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, operator);
    page.navigate("/ui");

    click(page.locator(".top nav a", new Page.LocatorOptions().setHasText("Dead letters")));
    Locator row = page.locator("table.triage tbody tr").first();
    assertThat(row.locator("th")).hasText(MERCHANT);
    assertThat(row).containsText("500");
    click(row.locator("a", new Locator.LocatorOptions().setHasText("Redrive")));
    assertThat(page.locator("#plan")).containsText("Redrives 500 jobs");
    click(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Redrive 500 jobs")));

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
    assertThat(clicks).isLessThanOrEqualTo(MOST_CLICKS);
    String operation = page.url().replaceFirst(".*/", "");
    assertThat(page.locator("main > p .state")).hasText("paused");
    assertThat(page.locator("main")).containsText("of stage 1 failed: more than 20 %");
    assertStopped(operation, others);
  }

  @Test
  void a_redrive_over_rest_covers_one_merchant_and_stops_by_itself() {
    String others = cluster.value(OF_OTHERS);
    JsonNode group = cluster.get("/v1/dead-letters/groups?limit=1").path("items").path(0);
    assertThat(group.path("subject").asString()).isEqualTo(MERCHANT);

    String operation =
        cluster
            .change(
                "POST",
                "/v1/operations",
                Map.of(
                    "action",
                    "redrive",
                    "filter",
                    Map.of("errorGroup", group.path("id").asString()),
                    "stages",
                    List.of(5, 50),
                    "expectedCount",
                    DEAD))
            .field("id");

    assertStopped(operation, others);
  }

  /** It touched a stage of the merchant's, and nothing of the others'. */
  private static void assertStopped(String operation, String others) {
    cluster.await(
        """
        select state = 'paused' and state_reason like '%% of stage 1 failed: more than %%'
        from ebb.operation where id = '%s'
        """
            .formatted(operation));
    cluster.await("select count(*) = 1000 from ebb.dead_letter");
    assertThat(cluster.value(OF_OTHERS)).isEqualTo(others).startsWith(DEAD + " ");
    assertThat(
            cluster.value(
                """
                select count(distinct d.labels ->> 'merchant') || ' ' || min(d.labels ->> 'merchant')
                from ebb.operation_item i
                join ebb.dead_letter d on d.id = i.job_id
                where i.operation = '%s'
                """
                    .formatted(operation)))
        .isEqualTo("1 " + MERCHANT);
  }
}
