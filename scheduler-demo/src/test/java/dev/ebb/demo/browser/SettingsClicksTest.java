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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What an admin sets up by hand: tokens, policies, and how the pages look. */
@Proof
class SettingsClicksTest {
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

  private static Locator button(Locator place, String name) {
    return place.getByRole(
        AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator main(Page page) {
    return page.locator("main");
  }

  private static Locator dialog(Page page) {
    return page.locator("dialog[open]");
  }

  private static Locator row(Page page, String name) {
    return page.locator("main tbody tr", new Page.LocatorOptions().setHasText(name)).first();
  }

  @Test
  void a_token_is_shown_once_and_is_revoked_by_its_name_alone() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/settings");
    button(main(page), "New token").click();
    dialog(page).getByLabel("Name, shown in the audit").fill("nightly");
    dialog(page).locator("select[name=role]").selectOption("operator");
    button(dialog(page), "Create").click();
    assertThat(dialog(page)).containsText("The token of nightly");
    String secret = page.locator("#secret").innerText();
    button(dialog(page), "Done").click();

    assertThat(row(page, "nightly")).containsText("operator");
    assertThat(page.content()).doesNotContain(secret);
    Page other = CHROMIUM.signIn(cluster, Look.LIGHT, secret);
    assertThat(main(other)).containsText("Overview");
    other.close();

    button(row(page, "nightly"), "Revoke").click();
    Locator name = dialog(page).getByLabel("The token's name, to confirm");
    name.fill("daily");
    button(dialog(page), "Revoke").click();
    assertThat(dialog(page)).isVisible();
    assertThat(row(page, "nightly").locator(".state")).hasText("live");
    name.fill("nightly");
    button(dialog(page), "Revoke").click();

    assertThat(row(page, "nightly").locator(".state")).hasText("revoked");
  }

  private static void choose(Page page, String label) {
    page.navigate("/ui/settings");
    page.getByLabel("Subject of jobs").fill(label);
    button(main(page), "Save").click();
    assertThat(page.locator("#toasts")).containsText("Saved.");
    page.navigate("/ui/jobs?q=queue%3Ashop");
  }

  @Test
  void the_subject_of_jobs_is_a_label_until_nothing_is_chosen() {
    cluster.submit("shop", Map.of("labels", Map.of("merchant", "acme"), "delay", "PT1H"));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);

    choose(page, "merchant");
    assertThat(main(page).locator("tbody")).containsText("acme");

    choose(page, "");
    assertThat(main(page).locator("tbody")).not().containsText("acme");
  }

  private static Locator saveLabels(Page page, String button, String labels) {
    button(main(page), button).click();
    if (button.startsWith("Add")) {
      dialog(page).getByLabel("Kind").fill("report");
    }
    dialog(page).getByLabel("Labels, one").fill(labels);
    button(dialog(page), "Save").click();
    return dialog(page);
  }

  @Test
  void labels_of_a_kind_are_never_replaced_by_who_has_not_seen_them() {
    CHROMIUM.expect("status of (412|428) .*/v1/kinds/report");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/settings");
    saveLabels(page, "Add a kind", "order=/order");
    assertThat(row(page, "report")).containsText("order from /order");
    Page other = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    other.navigate("/ui/settings");

    Locator again = saveLabels(other, "Add a kind", "shop=/shop");
    assertThat(again.getByRole(AriaRole.ALERT)).containsText("This name is already in use.");
    button(again, "Cancel").click();
    saveLabels(page, "Edit report", "order=/body/order");
    assertThat(row(page, "report")).containsText("order from /body/order");
    Locator late = saveLabels(other, "Edit report", "shop=/shop");
    assertThat(late.getByRole(AriaRole.ALERT)).containsText("Someone changed or removed this");

    other.reload();
    saveLabels(other, "Edit report", "order=/body/order\nshop=/shop");
    assertThat(row(other, "report")).containsText("shop from /shop");
    other.close();
  }

  @Test
  void a_policy_is_saved_from_the_lab_and_replaced_from_there() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/lab");
    main(page).getByLabel("Base").fill("30s");
    button(main(page), "Show").click();
    page.waitForURL(Pattern.compile("[?&]base=30s"));
    button(main(page), "Save as a policy").click();
    dialog(page).getByLabel("Name").fill("merchants");
    button(dialog(page), "Save").click();
    assertThat(row(page, "merchants")).containsText("30 s");

    row(page, "merchants").getByText("Open in the lab").click();
    main(page).getByLabel("Cap").fill("1h");
    button(main(page), "Show").click();
    page.waitForURL(Pattern.compile("[?&]cap=1h"));
    button(main(page), "Replace merchants").click();
    button(dialog(page), "Replace").click();

    assertThat(row(page, "merchants")).containsText("1 h cap");
    assertThat(cluster.get("/v1/policies/merchants").at("/policy/cap").asString())
        .isEqualTo("PT1H");
  }

  @Test
  void a_queues_own_policy_is_edited_in_fields_and_keeps_what_has_none() {
    Map<String, Object> policy =
        Map.of("base", "PT10S", "cap", "PT1H", "priorityScale", Map.of("0", 0.5));
    Map<String, Object> other = Map.of("policy", Map.of("base", "PT1H", "cap", "PT2H"));
    cluster.change("PUT", "/v1/policies/slow", other);
    cluster.change("PUT", "/v1/queues/edited", Map.of("paused", false, "policy", policy));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/queues/edited");
    button(main(page), "Edit settings").click();
    dialog(page).getByLabel("Cap").fill("2h");
    button(dialog(page), "Save").click();
    assertThat(main(page)).containsText("2 h cap");

    JsonNode own = cluster.get("/v1/queues/edited").path("policy");
    assertThat(own.path("base").asString()).isEqualTo("PT10S");
    assertThat(own.path("cap").asString()).isEqualTo("PT2H");
    assertThat(own.path("priorityScale").path("0").asDouble()).isEqualTo(0.5);

    page.reload();
    button(main(page), "Edit settings").click();
    dialog(page).locator("input[name=policy]").fill("slow");
    button(dialog(page), "Save").click();
    assertThat(dialog(page)).hasCount(0);
    assertThat(cluster.get("/v1/queues/edited").path("policyName").asString()).isEqualTo("slow");
  }

  @Test
  void a_theme_that_was_chosen_is_that_of_every_page() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/settings");
    button(main(page), "☾ Dark").click();
    page.navigate("/ui/jobs");

    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    assertThat(page.locator("#theme")).hasText("☾ Dark");
  }
}
