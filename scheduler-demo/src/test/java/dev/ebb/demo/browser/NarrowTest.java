package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No page is wider than its screen, be there no rows, a few or many, and one that has nothing to
 * show says so. Each leaves its picture below {@code target/pictures}.
 */
@Proof
class NarrowTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final String QUEUE = "q".repeat(63);
  private static final String WORD = "W".repeat(200);
  private static final String FAILURE = "F".repeat(4096);

  private static final String TOO_WIDE =
      "() => document.documentElement.scrollWidth - document.documentElement.clientWidth";

  /** The texts that stick out, where nothing around them scrolls. */
  private static final String CULPRITS =
      """
      () => {
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const out = [];
        while (walk.nextNode()) {
          const holder = walk.currentNode.parentElement;
          range.selectNode(walk.currentNode);
          const wide = range.getBoundingClientRect().right > document.documentElement.clientWidth;
          if (wide && !holder.closest('.scroll, pre, nav')) {
            out.push(holder.outerHTML);
          }
        }
        return out.join(' ');
      }
      """;

  private static void longestSchedule(Cluster cluster) {
    cluster.change(
        "PUT",
        "/v1/schedules/" + QUEUE,
        Map.of(
            "cron",
            "0,3,7,9,14,22,31,47 0-4,6,9,13-17 1-3,9,11,19-23 1,3-5,9 *",
            "timeZone",
            "America/North_Dakota/New_Salem",
            "startAt",
            "2098-01-01T00:00:00Z",
            "exclude",
            Map.of("weekdays", List.of("monday", "tuesday", "wednesday", "thursday", "friday")),
            "job",
            Map.of(
                "kind", "k".repeat(63),
                "queue", QUEUE,
                "payload", Map.of(WORD, WORD),
                "labels", Map.of("L".repeat(63), WORD),
                "uniqueKey", WORD)));
    cluster.change("POST", "/v1/schedules/" + QUEUE + "/pause", Map.of("reason", "R".repeat(500)));
    cluster.execute(
        """
        insert into ebb.schedule_fire (schedule, fire_at, result, missed, node, error)
        values ('%s', now(), 'refused', 100000, '%s', '%s')
        """
            .formatted(QUEUE, WORD, FAILURE));
  }

  private static String longest(Cluster cluster) {
    cluster.change("POST", "/v1/queues/" + QUEUE + "/pause", Map.of("reason", "R".repeat(500)));
    Map<String, Object> longest =
        Map.of("uniqueKey", WORD, "labels", Map.of("L".repeat(63), WORD), "delay", "PT1H");
    String id = cluster.submit(QUEUE, longest);
    cluster.change("POST", "/v1/jobs/" + id + "/hold", Map.of("reason", "R".repeat(500)));
    longestSchedule(cluster);
    cluster.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        values ('%s', now(), now(), 1, 'failed', '%s', '%s', '%s', '{"%s": "%s"}')
        """
            .formatted(id, "f".repeat(64), FAILURE, WORD, WORD, FAILURE));
    cluster.execute(
        """
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
        values (uuidv7(), 'attempts_exhausted', '%s', '%s', now(), '%s', now(), now(), now(), 1, 3,
          3, 5, '%s', '%s', '1')
        """
            .formatted("f".repeat(64), FAILURE, WORD, QUEUE, "k".repeat(63)));
    cluster.await("select count(*) = 1 from ebb.dead_letter where error_group is not null");
    Map<String, Object> operation =
        Map.of(
            "action", "set_priority",
            "filter", Map.of("q", "queue:" + QUEUE),
            "params", Map.of("priority", 1),
            "reason", "R".repeat(500));
    cluster.change("POST", "/v1/operations", operation);
    return id;
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "PHONE"})
  void no_page_is_wider_than_its_screen_with_the_longest_names_and_errors(Look look) {
    try (Cluster cluster = Cluster.started()) {
      look("longest", look, cluster, Pages.all(cluster, longest(cluster), QUEUE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "PHONE"})
  void no_page_is_wider_than_its_screen_with_a_few_rows(Look look) {
    try (Cluster cluster = Cluster.started()) {
      look("few", look, cluster, Pages.all(cluster, Quiet.fill(cluster), Quiet.QUEUE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "PHONE"})
  void no_page_is_wider_than_its_screen_with_ten_thousand_rows(Look look) {
    try (Cluster cluster = Cluster.started()) {
      String job = Quiet.fill(cluster);
      Crowd.fill(cluster);
      look("many", look, cluster, Pages.all(cluster, job, Crowd.QUEUE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "PHONE"})
  void no_page_is_wider_than_its_screen_with_hundreds_of_destinations_of_which_some_fail(
      Look look) {
    try (Cluster cluster = Cluster.started()) {
      look("merchants", look, cluster, Merchants.fill(cluster));
    }
  }

  private static void look(String state, Look look, Cluster cluster, Map<String, String> pages) {
    CHROMIUM.expect("status of 4(00|22) .*nonsense");
    Pictures pictures = Pictures.of(state);
    Page page = CHROMIUM.signIn(cluster, look, Cluster.ADMIN);
    List<String> wide = new ArrayList<>();
    for (Map.Entry<String, String> one : pages.entrySet()) {
      Pages.open(page, one.getValue());
      awaitTheLook(page);
      pictures.take(page, look, one.getKey());
      page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)");
      int by = (int) page.evaluate(TOO_WIDE);
      if (by > 0) {
        wide.add(one.getKey() + " by " + by + ": " + page.evaluate(CULPRITS));
      }
    }
    assertThat(wide).isEmpty();
  }

  /** The form for many jobs shows what it would act on a moment after the page itself. */
  private static void awaitTheLook(Page page) {
    page.waitForFunction("() => document.querySelector('#go')?.textContent !== 'Loading…'");
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "PHONE"})
  void a_page_without_rows_says_so(Look look) {
    try (Cluster cluster = Cluster.started()) {
      Page page = CHROMIUM.signIn(cluster, look, Cluster.ADMIN);
      for (Map.Entry<String, String> one : Pages.lists().entrySet()) {
        Pictures.of("empty").take(page, look, one.getKey(), one.getValue());
        assertThat((int) page.evaluate(TOO_WIDE)).as(one.getKey()).isZero();
        // The node that answers is itself one; and an operation is yet to be described.
        if (!List.of("nodes", "new-operation").contains(one.getKey())) {
          assertThat(page.locator("main .empty:visible").first().isVisible())
              .as(one.getKey())
              .isTrue();
        }
      }
    }
  }
}
