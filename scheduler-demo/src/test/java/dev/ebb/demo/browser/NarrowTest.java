package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a phone no page is wider than the screen, and one that has nothing to show says so. */
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

  private static String longest(Cluster cluster) {
    cluster.change("POST", "/v1/queues/" + QUEUE + "/pause", Map.of("reason", "R".repeat(500)));
    Map<String, Object> longest =
        Map.of("uniqueKey", WORD, "labels", Map.of("L".repeat(63), WORD), "delay", "PT1H");
    String id = cluster.submit(QUEUE, longest);
    cluster.change("POST", "/v1/jobs/" + id + "/hold", Map.of("reason", "R".repeat(500)));
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

  @Test
  void no_page_is_wider_than_a_phone_with_the_longest_names_and_errors() {
    try (Cluster cluster = Cluster.started()) {
      CHROMIUM.expect("status of 4(00|22) .*nonsense");
      Map<String, String> pages = Pages.all(cluster, longest(cluster), QUEUE);
      Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
      List<String> wide = new ArrayList<>();
      for (Map.Entry<String, String> one : pages.entrySet()) {
        page.navigate(one.getValue());
        page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)");
        awaitTheLook(page);
        int by = (int) page.evaluate(TOO_WIDE);
        if (by > 0) {
          wide.add(one.getKey() + " by " + by + ": " + page.evaluate(CULPRITS));
        }
      }
      assertThat(wide).isEmpty();
    }
  }

  /** The form for many jobs shows what it would act on a moment after the page itself. */
  private static void awaitTheLook(Page page) {
    page.waitForFunction("() => document.querySelector('#go')?.textContent !== 'Looking…'");
  }

  @Test
  void a_page_without_rows_says_so() {
    try (Cluster cluster = Cluster.started()) {
      Page page = CHROMIUM.signIn(cluster, Look.PHONE, Cluster.ADMIN);
      for (Map.Entry<String, String> one : Pages.lists().entrySet()) {
        // The node that answers is itself one; and an operation is yet to be described.
        if (List.of("nodes", "new-operation").contains(one.getKey())) {
          continue;
        }
        page.navigate(one.getValue());
        assertThat(page.locator("main .empty:visible").first().isVisible())
            .as(one.getKey())
            .isTrue();
        assertThat((int) page.evaluate(TOO_WIDE)).as(one.getKey()).isZero();
      }
    }
  }
}
