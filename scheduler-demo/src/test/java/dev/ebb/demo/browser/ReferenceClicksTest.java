package dev.ebb.demo.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Finding and copying in the API's reference. */
@Proof
class ReferenceClicksTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static Cluster cluster;

  private Page page;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    page = CHROMIUM.open(cluster, Look.LIGHT);
  }

  private Locator shown() {
    return page.locator("main .operation[data-words]:visible");
  }

  @Test
  void a_link_opens_the_folded_part_that_it_leads_to() {
    page.navigate("/docs#operation-submitJob");
    assertThat(page.locator("#operation-submitJob")).isVisible();

    page.locator("#operation-submitJob a[href='#schema-NewJob']").click();
    assertThat(page.locator("#schema-NewJob")).isInViewport();
  }

  @Test
  void the_filter_leaves_what_has_all_its_words_until_a_link_leads_elsewhere() {
    page.navigate("/docs");
    int all = shown().count();
    page.locator("#find").fill("budget REDRIVE");
    assertThat(shown()).hasCount(1);
    assertThat(shown()).containsText("/v1/jobs/{id}/redrive");

    page.locator("#find").fill("no such word");
    assertThat(page.locator("#none")).isVisible();

    page.locator(".index a[href='#tag-queues']").click();
    assertThat(page.locator("#tag-queues")).isInViewport();
    assertThat(page.locator("#find")).hasValue("");
    assertThat(shown()).hasCount(all);
  }

  @Test
  void a_press_copies_the_command_or_selects_it() {
    page.navigate("/docs#operation-submitJob");
    page.locator("[data-copy='curl-submitJob']").click();

    assertThat((String) page.evaluate("() => getSelection().toString()"))
        .startsWith("curl -X POST '" + cluster.origin() + "/v1/jobs'");
  }
}
