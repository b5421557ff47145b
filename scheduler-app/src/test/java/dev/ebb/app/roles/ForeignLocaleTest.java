package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.merchant.Merchant;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A node in a JVM whose locale writes 12 as ١٢, and whose zone is half an hour off. */
class ForeignLocaleTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Pattern FOREIGN_DIGITS = Pattern.compile("[\\p{Nd}&&[^0-9]]+");

  private static final List<String> PATHS =
      List.of(
          "/v1/jobs",
          "/v1/jobs/%s",
          "/v1/jobs/%s/attempts",
          "/v1/queues",
          "/v1/queues/told",
          "/v1/stats/overview",
          "/v1/database",
          "/v1/nodes",
          "/v1/schedules/nightly",
          "/metrics",
          "/ui",
          "/ui/jobs",
          "/ui/jobs/%s",
          "/ui/queues/told",
          "/ui/database",
          "/ui/nodes",
          "/ui/schedules/nightly");

  @Test
  @SuppressWarnings("DefaultLocale")
  void the_tests_of_this_module_run_under_foreign_digits_and_an_odd_zone() {
    assertThat("%d".formatted(12)).isEqualTo("١٢");
    assertThat(ZoneId.systemDefault().getRules().getOffset(Instant.EPOCH).getTotalSeconds() % 3600)
        .isNotZero();
  }

  @Test
  void a_job_is_submitted_run_counted_and_shown_in_the_digits_of_machines() throws Exception {
    DatabaseConfig database = TestPostgres.shared().newDatabase();
    try (Merchant merchant = Merchant.start("127.0.0.1", 0, List.of());
        StartingNode node =
            new StartingNode(
                Node::startServer, database, Map.of("EBB_DELIVERY_ALLOW", "127.0.0.0/8"))) {
      node.awaitStarted();
      String job = idIn(node.post("/v1/jobs", job(merchant.port())));
      awaitState(node, job, "completed");
      String waiting =
          idIn(
              node.post(
                  "/v1/jobs",
                  "{\"kind\":\"none\",\"payload\":{},\"queue\":\"told\","
                      + "\"runAt\":\"2030-01-02T03:04:05.6Z\"}"));
      node.put("/v1/schedules/nightly", SCHEDULE);

      assertThat(node.get("/v1/jobs?q=label:order%3D4711")).contains(job);
      assertThat(node.get("/v1/jobs/" + waiting)).contains("2030-01-02T03:04:05.600Z");
      assertThat(node.get("/v1/jobs/" + waiting + "/waiting"))
          .contains("2030-01-02T03:04:05")
          .doesNotContainPattern(FOREIGN_DIGITS);
      for (String path : PATHS) {
        String shown = path.replace("%s", job);
        assertThat(node.status(shown)).as(shown).isEqualTo(200);
        assertThat(node.get(shown)).as(shown).doesNotContainPattern(FOREIGN_DIGITS);
      }
    }
  }

  private static final String SCHEDULE =
      """
      {"cron":"30 2 * * *","timeZone":"Europe/Berlin",
        "job":{"kind":"none","payload":{},"queue":"told","uniqueKey":"night-{date}-{time}-{epoch}"}}
      """;

  private static String job(int port) {
    return """
    {"kind":"http","queue":"told","uniqueKey":"order-4711","labels":{"order":"4711"},
      "payload":{"url":"http://127.0.0.1:%s/hook","body":{"order":4711}}}
    """
        .formatted(port);
  }

  private static String idIn(String answer) {
    return answer.replaceFirst("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
  }

  private static void awaitState(StartingNode node, String job, String state) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String shown = node.get("/v1/jobs/" + job);
    while (!shown.contains("\"state\":\"" + state + "\"")) {
      assertThat(System.nanoTime()).as(shown).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      shown = node.get("/v1/jobs/" + job);
    }
  }
}
