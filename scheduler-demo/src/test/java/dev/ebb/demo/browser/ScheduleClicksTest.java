package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.db.Proof;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What people do with schedules: write one with its preview, run it, pause it, edit it. */
@Proof
class ScheduleClicksTest {
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

  private static Locator field(Page page, String name) {
    return page.locator("[name='" + name + "']");
  }

  @Test
  void a_schedule_is_written_with_a_preview_of_every_change_and_run_by_hand() {
    CHROMIUM.expect("status of 400");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/schedules");
    page.getByText("New schedule…").click();
    page.waitForURL(Pattern.compile("/new-schedule$"));
    Locator preview = page.locator("#preview");
    assertThat(preview.locator(".words")).hasText("At 09:00 on Monday to Friday");

    field(page, "cron").fill("30 2 * * *");
    field(page, "timeZone").fill("Europe/Berlin");
    field(page, "startAt").fill("2097-03-30T00:00:00Z");
    assertThat(preview).containsText("clocks go forward: fires at the first valid time");
    field(page, "cron").fill("30 25 * * *");
    assertThat(page.locator("#rule-cron")).containsText("25");
    assertThat(preview).containsText("No preview");
    field(page, "cron").fill("30 2 * * *");
    assertThat(page.locator("#rule-cron")).isEmpty();

    field(page, "name").fill("nightly");
    page.getByText("sunday").click();
    field(page, "job.kind").fill("report");
    field(page, "job.payload").fill("{\"of\": 12345678901234567890.10}");
    field(page, "job.labels").fill("team=finance\nowner=Ada L.");
    field(page, "job.priority").fill("12");
    button(page.locator("main"), "Create").click();
    assertThat(page.locator("#rule-job-priority")).containsText("must be between 0 and 9");
    field(page, "job.priority").fill("3");
    page.getByText("Its own policy").click();
    field(page, "job.policy.base").fill("2m");
    field(page, "job.policy.cap").fill("1m");
    button(page.locator("main"), "Create").click();
    assertThat(page.locator("#rule-job-policy")).not().isEmpty();
    field(page, "job.policy.cap").fill("3h");
    button(page.locator("main"), "Create").click();
    page.waitForURL(Pattern.compile("/ui/schedules/nightly$"));

    JsonNode stored = cluster.get("/v1/schedules/nightly");
    assertThat(stored.at("/exclude/weekdays/0").asString()).isEqualTo("sunday");
    assertThat(stored.at("/job/labels/owner").asString()).isEqualTo("Ada L.");
    assertThat(stored.at("/job/policy/base").asString()).isEqualTo("PT2M");
    assertThat(stored.at("/job/policy/cap").asString()).isEqualTo("PT3H");
    assertThat(cluster.value("select job ->> 'payload' from ebb.schedule where name = 'nightly'"))
        .contains("12345678901234567890.10");

    button(page.locator("main"), "Run now").first().click();
    button(page.locator("dialog[open]"), "Run now").click();
    assertThat(page.locator("section").last()).containsText("waiting");
    assertThat(page.locator("svg.runs .run")).hasCount(1);
  }

  @Test
  void a_schedule_is_paused_edited_and_deleted() {
    Map<String, Object> job =
        Map.of("kind", "report", "payload", List.of(1), "uniqueKey", "report-{date}");
    cluster.change("PUT", "/v1/schedules/weekly", Map.of("every", "P7D", "job", job));
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    page.navigate("/ui/schedules/weekly");
    button(page.locator("main"), "Pause").first().click();
    page.locator("dialog[open]").getByLabel("Reason").fill("a holiday");
    button(page.locator("dialog[open]"), "Pause").click();
    assertThat(page.locator(".facts").first()).containsText("a holiday");

    page.getByText("Edit…").click();
    page.waitForURL(Pattern.compile("/edit$"));
    field(page, "every").fill("36h");
    assertThat(page.locator("#preview .words")).hasText("Every 36 hours");
    button(page.locator("main"), "Save").click();
    page.waitForURL(Pattern.compile("/ui/schedules/weekly$"));
    assertThat(page.locator("main")).containsText("Every 36 hours");
    assertThat(cluster.get("/v1/schedules/weekly").path("paused").asBoolean()).isTrue();

    button(page.locator("main"), "Delete").first().click();
    page.locator("dialog[open]").getByLabel("The schedule's name, to confirm").fill("weekly");
    button(page.locator("dialog[open]"), "Delete").click();
    page.waitForURL(Pattern.compile("/ui/schedules$"));
    assertThat(cluster.ask("GET", "/v1/schedules/weekly", "").status()).isEqualTo(404);
  }
}
