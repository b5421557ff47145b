package dev.ebb.demo.browser;

import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import dev.ebb.demo.ToldStory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pictures of every page while the demo's story is told: light ones below {@code target}, and with
 * {@code -Debb.screenshots=docs/screenshots} those of the documentation in every look, for which
 * the story is told for some minutes.
 */
@Proof
class ScreenshotTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final Path ROOT = Path.of("..");
  private static final String WANTED = System.getProperty("ebb.screenshots", "");
  private static final int MINUTES = 4;

  private static Cluster cluster;
  private static Map<String, String> pages;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    if (WANTED.isEmpty()) {
      ToldStory.tell(cluster.config(), cluster.merchant(), 30, Duration.ZERO);
    } else {
      ToldStory.tell(cluster.config(), cluster.merchant(), MINUTES * 60, Duration.ofSeconds(1));
    }
    cluster.await("select count(*) > 3 from ebb.dead_letter where error_group is not null");
    cluster.change(
        "POST",
        "/v1/operations",
        Map.of(
            "action",
            "redrive",
            "filter",
            Map.of("q", "queue:refunds"),
            "stages",
            List.of(1, 10),
            "reason",
            "the merchant says it is fixed"));
    cluster.await("select count(*) > 0 from ebb.operation where state <> 'running'");
    String job =
        cluster.value(
            """
            select job_id from ebb.attempt a join ebb.job j on j.id = a.job_id
            where j.queue = 'notifications' order by j.id limit 1
            """);
    PastFires.add(cluster, "balances", "30 s");
    PastFires.add(cluster, "settlement-report", "1 day");
    pages = Pages.all(cluster, job, "webhooks");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  static List<Look> looks() {
    return WANTED.isEmpty() ? List.of(Look.LIGHT) : List.of(Look.values());
  }

  @ParameterizedTest
  @MethodSource("looks")
  void every_page_has_its_picture(Look look) {
    Pictures pictures =
        Pictures.in(ROOT.resolve(WANTED.isEmpty() ? "scheduler-demo/target/screenshots" : WANTED));
    CHROMIUM.expect("status of 404|status of 400|status of 422");
    Page page = CHROMIUM.signIn(cluster, look, Cluster.ADMIN);
    pages.forEach((name, address) -> pictures.take(page, look, name, address));
  }
}
