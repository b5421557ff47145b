package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The overview's counts among more jobs than are looked at one by one. */
class OverviewCountsTest {
  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    server.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select
          now() + case when i <= 11 then interval '-5 minutes' else interval '30 minutes' end,
          3, i % 10, case when i % 2 = 0 then 'a' else 'b' end, 'report', '1'
        from generate_series(1, 12000) i
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String part(String name) {
    Answer answer =
        server.send(server.request("/ui/overview/" + name).header("HX-Request", "true"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String found(String pattern, String html) {
    Matcher found = Pattern.compile(pattern).matcher(html);
    assertThat(found.find()).as(pattern + " in " + html).isTrue();
    return found.group(1);
  }

  private static String now(String phase) {
    return found("<strong>([^<]*)</strong>\\s*<span class=\"state " + phase, part("jobs"));
  }

  private static String dueAlready() {
    return found("<figcaption>(\\S+) due already", part("forecast"));
  }

  @Test
  void what_is_due_is_one_exact_number_on_the_whole_page() {
    assertThat(now("due")).isEqualTo(dueAlready()).isEqualTo("11");

    server.post("/v1/queues/a/pause", "{}");

    assertThat(now("due")).as("with a paused queue").isEqualTo(dueAlready()).isEqualTo("11");
    server.post("/v1/queues/a/resume", "{}");
    assertThat(server.get("/v1/jobs/count?q=state:due").json().path("count").asInt())
        .as("the list to which the number leads")
        .isEqualTo(11);
  }

  @Test
  void a_phase_of_which_a_sample_has_none_is_not_named() {
    assertThat(part("jobs")).contains("state scheduled").doesNotContain("state held", "few", "–");
  }

  @Test
  void a_phase_is_counted_exactly_where_most_jobs_are_due() {
    String late = "run_at = run_at - interval '2 days' where priority > 0";
    String early = "run_at = run_at + interval '2 days' where priority > 0";
    server.execute("update ebb.job set " + late);

    assertThat(now("held")).isEqualTo("0");
    assertThat(now("retrying")).isEqualTo("0");
    assertThat(now("scheduled")).isEqualTo("1,199");
    server.execute("update ebb.job set " + early);
  }
}
