package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.ebb.db.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Searching, choosing and going about, by keys and by names that were saved. */
@Proof
class KeysTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final int JOBS = 60;

  /** A field is pressed by its label, too. */
  private static final String SMALL =
      """
      () => [...document.querySelectorAll("main :is(a, button, input, select, summary)")]
        .map(one => one.closest("label") ?? one)
        .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 24)
        .map(one => one.outerHTML.slice(0, 200))
      """;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    for (int i = 0; i < JOBS; i++) {
      cluster.submit("orders", Map.of("delay", "PT5H", "uniqueKey", "order-" + i));
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Page open(String path) {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    Pages.open(page, path);
    return page;
  }

  private static void press(Page page, String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  @Test
  void a_search_is_saved_by_a_name_kept_in_the_address_and_found_again_in_the_palette() {
    Page page = open("/ui/jobs");
    Locator box = page.locator("main input[type=search]");
    press(page, "/");
    assertThat(box).isFocused();
    box.fill("queue:orders state:scheduled");
    box.press("Enter");
    page.waitForURL(Pattern.compile("q=queue%3Aorders\\+state%3Ascheduled"));
    page.getByText("Save this view…").click();
    page.getByLabel("Name of the view").fill("late orders");
    press(page, "Enter");
    assertThat(page.locator("#views")).containsText("late orders");

    Pages.open(page, "/ui/nodes");
    press(page, "Control+k");
    page.locator("dialog.palette input").fill("late");
    press(page, "Enter");

    page.waitForURL(Pattern.compile("q=queue%3Aorders%20state%3Ascheduled"));
    assertThat(page.locator("main tbody tr")).hasCount(50);
    page.getByLabel("Delete the view late orders").click();
    page.reload();
    assertThat(page.locator("#views .saved")).hasCount(0);
  }

  @Test
  void keys_lead_over_pages_and_rows_and_help_names_them() {
    Page page = open("/ui");
    press(page, "g", "q");
    page.waitForURL(Pattern.compile("/ui/queues$"));
    press(page, "g", "j");
    page.waitForURL(Pattern.compile("/ui/jobs$"));
    press(page, "?");
    assertThat(page.locator("dialog.keys")).containsText("Next row");
    press(page, "Escape", "j", "j", "x", "k", "x");

    Locator chosen = page.locator("#picked button");
    assertThat(chosen).containsText("2");
    press(page, "Enter");
    page.waitForURL(Pattern.compile("/ui/jobs/[0-9a-f-]{36}$"));
  }

  private static Locator action(Page page, String word) {
    return page.locator("#operation input[name=action][value=" + word + "]");
  }

  @Test
  void a_key_leads_from_the_row_or_the_chosen_rows_to_what_is_to_be_done_to_them() {
    Page page = open("/ui/jobs?q=queue%3Aorders");
    press(page, "j", "r");
    page.waitForURL(Pattern.compile("/ui/operations/new$"));
    assertThat(page.locator("main")).containsText("1 selected");
    assertThat(action(page, "retry")).isChecked();

    Pages.open(page, "/ui/jobs?q=queue%3Aorders");
    press(page, "j", "x", "j", "x", "c");
    page.waitForURL(Pattern.compile("/ui/operations/new$"));
    assertThat(page.locator("main")).containsText("2 selected");
    assertThat(action(page, "cancel")).isChecked();
  }

  @Test
  void the_key_that_retries_a_job_redrives_a_dead_letter() {
    String id =
        cluster.submit(
            "died",
            Map.of("maxAttempts", 1, "payload", Map.of("url", cluster.merchant() + "/as/500/no")));
    cluster.await("select count(*) = 1 from ebb.dead_letter where queue = 'died'");
    Page page = open("/ui/jobs?q=queue%3Adied+state%3Adead");
    press(page, "j", "r");
    page.waitForURL(Pattern.compile("/ui/operations/new$"));
    assertThat(action(page, "redrive")).isChecked();

    Pages.open(page, "/ui/jobs/" + id);
    press(page, "r");
    assertThat(page.locator("dialog[open]")).hasId("redrive");
  }

  @Test
  void a_key_on_a_jobs_page_opens_the_dialog_of_its_button() {
    String id = cluster.submit("single", Map.of("delay", "PT5H"));
    Page page = open("/ui/jobs/" + id);
    press(page, "r");
    assertThat(page.locator("dialog[open]")).hasId("retry");
    press(page, "Escape", "c");
    assertThat(page.locator("dialog[open]")).hasId("cancel");
    page.locator("dialog[open] button.danger").click();
    assertThat(page.locator(".title .state")).hasText("cancelled");

    press(page, "c", "r");
    assertThat(page.locator("dialog[open]")).hasCount(0);
    press(page, "?");
    assertThat(page.locator("dialog.keys")).containsText("Retry");
    assertThat(page.locator("dialog.keys")).containsText("Cancel");
  }

  /**
   * The field of a dialog that closes has the focus until the next frame, which this key is ahead
   * of.
   */
  @Test
  void a_key_pressed_at_once_after_a_dialog_has_closed_is_not_taken_for_typing() {
    String id = cluster.submit("single", Map.of("delay", "PT5H"));
    Page page = open("/ui/jobs/" + id);
    press(page, "r");
    assertThat(page.locator("dialog[open]")).hasId("retry");
    page.evaluate(
        """
        () => {
          document.querySelector("dialog[open]").close();
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true }));
        }
        """);
    assertThat(page.locator("dialog[open]")).hasId("cancel");
  }

  @Test
  void columns_are_chosen_kept_in_the_address_and_saved_with_a_view() {
    Page page = open("/ui/jobs?q=queue%3Aorders");
    page.getByText("Columns", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Unique key", new Page.GetByLabelOptions().setExact(true)).check();
    page.getByLabel("Submitted", new Page.GetByLabelOptions().setExact(true)).uncheck();
    page.getByText("Apply").click();
    page.waitForURL(Pattern.compile("columns=state%2Cjob%2Csubject%2Cqueue%2Cattempt%2Crun%2Ckey"));
    assertThat(page.locator("main thead")).containsText("Unique key");
    assertThat(page.locator("main thead")).not().containsText("Submitted");
    page.getByText("Save this view…").click();
    page.getByLabel("Name of the view").fill("by key");
    press(page, "Enter");
    assertThat(page.locator("#views [aria-current]")).containsText("by key");

    Pages.open(page, "/ui/jobs");
    page.locator("#views a").click();
    page.waitForURL(Pattern.compile("q=queue%3Aorders&columns=state%2Cjob"));
    assertThat(page.locator("main tbody")).containsText("order-");
  }

  @Test
  void an_action_on_all_that_match_tells_their_number_before_it_begins() {
    for (int i = 0; i < 3; i++) {
      cluster.submit("refunds", Map.of("delay", "PT5H"));
    }
    Page page = open("/ui/jobs?q=queue%3Arefunds");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Act on all 3")).click();
    page.locator("input[name=action][value=hold]").check();
    assertThat(page.locator("#plan")).containsText("Holds 3 jobs in queue refunds");
    assertThat(page.locator("#go")).containsText("3 jobs");
    page.locator("#go").click();

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
    String operation = page.url().replaceFirst(".*/", "");
    cluster.await("select state = 'completed' from ebb.operation where id = '" + operation + "'");
    assertThat(cluster.get("/v1/jobs?q=queue%3Arefunds+state%3Aheld").path("items")).hasSize(3);
  }

  /** From the plan, which has the focus; the fields that change it are folded behind the button. */
  @Test
  void a_redrive_that_is_planned_is_two_tabs_away_and_ctrl_enter_starts_it() {
    cluster.submit(
        "planned",
        Map.of("maxAttempts", 1, "payload", Map.of("url", cluster.merchant() + "/as/500/no")));
    cluster.await("select count(*) = 1 from ebb.dead_letter where queue = 'planned'");
    Page page = open("/ui/operations/new?action=redrive&q=state%3Adead+queue%3Aplanned");

    assertThat(page.locator("#plan"))
        .hasText(
            "Redrives 1 job in queue planned, at most 10/s; stops by itself if more than 20 %"
                + " of a stage fail. It takes at least 1 s.");
    assertThat(page.locator("#plan")).isFocused();
    press(page, "Tab", "Tab");
    assertThat(page.locator("#go")).isFocused();
    press(page, "Shift+Tab", "Control+Enter");

    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
  }

  /** A filter that is typed over covers other jobs than the plan tells. */
  @Test
  void ctrl_enter_starts_only_what_was_previewed_and_not_from_a_search() {
    cluster.submit("previewed", Map.of("delay", "PT5H"));
    Page page = open("/ui/operations/new?action=hold&q=queue%3Apreviewed");
    assertThat(page.locator("#go")).hasText("Hold 1 job");
    List<String> begun = new ArrayList<>();
    page.onRequest(request -> begun.add(request.url()));

    page.locator("header input[type=search]").focus();
    press(page, "Control+Enter");
    Locator filter = page.locator("main input[type=search]");
    filter.fill("queue:orders");
    press(page, "Control+Enter");
    page.locator("#plan").focus();
    press(page, "Control+Enter");
    assertThat(begun).noneMatch(url -> url.endsWith("/v1/operations"));

    filter.fill("queue:previewed");
    page.locator("#plan").focus();
    press(page, "Control+Enter");
    page.waitForURL(Pattern.compile("/ui/operations/[0-9a-f-]{36}$"));
  }

  @Test
  void the_plan_tells_what_its_folded_fields_say_and_one_that_is_refused_unfolds() {
    for (int i = 0; i < 30; i++) {
      cluster.submit("staged", Map.of("delay", "PT5H"));
    }
    Page page = open("/ui/operations/new?action=retry&q=queue%3Astaged");
    Locator plan = page.locator("#plan");
    assertThat(plan)
        .hasText(
            "Retries 30 jobs in queue staged: 1, then 10, then the rest, at most 10/s; waits"
                + " for your approval after the first stage; stops by itself if more than 20 % of a"
                + " stage fail. It takes at least 3 s.");
    page.getByText("Change how it runs").click();
    page.locator("input[name=rate]").fill("30/min");
    page.getByLabel("Wait for my approval").selectOption("0");
    page.getByLabel("Stop if more than").selectOption("1");
    page.getByLabel("Stages").fill("5");
    assertThat(plan)
        .hasText(
            "Retries 30 jobs in queue staged: 5, then the rest, at most 30/min. It takes at"
                + " least 60 s.");

    page.locator("input[name=rate]").fill("fast");
    page.getByText("Change how it runs").click();
    page.locator("#go").click();
    assertThat(page.locator("input[name=rate]")).isVisible();
  }

  @Test
  @SuppressWarnings("unchecked")
  void what_a_finger_presses_to_start_an_operation_is_at_least_24_pixels_high() {
    cluster.submit("touched", Map.of("delay", "PT5H"));
    Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
    Pages.open(page, "/ui/operations/new?q=queue%3Atouched");
    page.locator("input[name=action][value=hold]").check();
    assertThat(page.locator("#go")).hasText("Hold 1 job");
    page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)");

    assertThat((List<String>) page.evaluate(SMALL)).isEmpty();
  }

  @Test
  void a_list_goes_on_where_the_page_before_ended() {
    Page page = open("/ui/jobs?q=queue%3Aorders");
    String first = page.locator("main tbody").innerText();
    page.getByText("Older", new Page.GetByTextOptions().setExact(true)).click();

    assertThat(page.locator("main tbody tr")).hasCount(JOBS - 50);
    for (Locator link : page.locator("main tbody a[id^=job-]").all()) {
      assertThat(first).doesNotContain("\t" + link.innerText() + "\t");
    }
  }

  @Test
  void times_are_told_as_how_long_ago_in_utc_or_by_the_browsers_clock() {
    Page page = open("/ui/jobs?q=queue%3Aorders");
    Locator time = page.locator("main tbody tr").first().locator("time").last();
    assertThat(time).hasText(Pattern.compile(" ago$|^now$"));
    assertThat(time).hasAttribute("title", Pattern.compile(" UTC\n.* \\+00:00$"));

    press(page, "u");
    assertThat(time).hasText(Pattern.compile("^[0-9-]{10} [0-9:]{8} UTC$"));
    press(page, "u");
    assertThat(time).hasText(Pattern.compile("^[0-9-]{10} [0-9:]{8} \\+00:00$"));
    page.reload();
    assertThat(time).hasText(Pattern.compile("\\+00:00$"));
  }
}
