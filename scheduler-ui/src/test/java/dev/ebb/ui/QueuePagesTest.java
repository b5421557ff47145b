package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages of queues, over the API. */
class QueuePagesTest {
  private static final String LIMITED =
      "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":20,\"warmUp\":\"PT60S\","
          + "\"coldFactor\":4},\"maxConcurrency\":7}";

  private UiServer server = UiServer.open();

  @AfterEach
  void stop() {
    server.close();
  }

  private String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  private Answer put(String queue, String json, String... headers) {
    return server.put("/v1/queues/" + queue, json, headers);
  }

  @Test
  void without_a_queue_the_list_says_how_there_will_be_one() {
    assertThat(page("/ui/queues"))
        .contains("There is no queue yet", "curl -X POST", "PUT /v1/queues/{queue}")
        .doesNotContain("<table");
    assertThat(server.get("/ui/queues/none").status()).isEqualTo(404);
    assertThat(server.get("/ui/queues/No").status()).isEqualTo(400);
    assertThat(server.get("/ui/queues/none?window=2h").status()).isEqualTo(400);
  }

  @Test
  void a_queue_without_settings_has_no_limit() {
    server.submit("{\"kind\":\"k\",\"queue\":\"plain\",\"payload\":1}");

    assertThat(page("/ui/queues"))
        .contains("/ui/queues/plain", "no limit", "pause-plain")
        .contains("Completed in plain, jobs a second, the last hour");
    assertThat(page("/ui/queues/plain"))
        .contains("No rate limit: its jobs start as soon as they are due")
        .contains("1 due already and waiting")
        .contains("1 job came and 0 ended within 1 h. The backlog has grown to 1.")
        .contains("It has none of its own")
        .doesNotContain("data-match", "NaN", "Restart warm-up", "data-dialog=\"delete\"");
  }

  @Test
  void a_limited_queue_shows_where_it_is_on_its_curve() {
    put("limited", LIMITED);
    server.submit("{\"kind\":\"k\",\"queue\":\"limited\",\"payload\":1}");

    String cold = page("/ui/queues/limited");
    server.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('limited', 0, now() + "
            + "interval '1 hour')");
    String warm = page("/ui/queues/limited");

    assertThat(cold)
        .contains("Cold: it starts at 5/s of 20/s.", "Restart warm-up", "Caught up in about")
        .contains("data-match=\"&#34;", "<td class=\"n\">5</td>", "20 starts a second");
    assertThat(warm).contains("Warm: 20/s.");
    assertThat(page("/ui/queues")).contains("class=\"gauge\"", "of 7").contains("warm");
  }

  @Test
  void a_form_s_tag_is_the_one_that_a_change_needs() {
    put("limited", LIMITED);
    String tag =
        page("/ui/queues/limited")
            .replaceAll("(?s).*data-match=\"([^\"]*)\".*", "$1")
            .replaceAll("&#34;|&quot;", "\"");

    assertThat(put("limited", LIMITED).status()).isEqualTo(428);
    assertThat(put("limited", LIMITED, "If-Match", tag).status()).isEqualTo(200);
  }

  @Test
  void a_paused_queue_says_who_paused_it_why_and_until_when() {
    put("limited", LIMITED);
    server.post(
        "/v1/queues/limited/pause",
        "{\"reason\":\"<b>merchant & co</b>\",\"until\":\"2099-01-01T00:00:00Z\"}");

    assertThat(page("/ui/queues/limited"))
        .contains("&lt;b", "merchant &amp; co", "2099-01-01", "resume-limited")
        .contains("Nothing starts until the queue is resumed.")
        .doesNotContain("<b>merchant", "pause-limited");
    assertThat(page("/ui/queues")).contains("paused", "resume-limited");
  }

  @Test
  void every_window_is_drawn() {
    server.submit("{\"kind\":\"k\",\"queue\":\"plain\",\"payload\":1}");

    for (String window : new String[] {"1h", "24h", "7d", "30d"}) {
      assertThat(page("/ui/queues/plain?window=" + window))
          .contains("window=" + window + "\" aria-current=\"true\"", "1 job came");
    }
  }

  @Test
  void a_viewer_reads_and_changes_nothing() {
    server.close();
    server = UiServer.closed();
    String admin = UiServer.ADMIN;
    server.post("/v1/queues/plain/pause", "{}", admin);
    String viewer = server.token("vera", Role.VIEWER).text();

    for (String path : new String[] {"/ui/queues", "/ui/queues/plain"}) {
      assertThat(server.get(path, admin).body()).contains("data-api=\"POST /v1/queues/plain");
      Answer seen = server.get(path, viewer);
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body()).contains("paused").doesNotContain("data-api", "<dialog");
    }
    assertThat(server.post("/v1/queues/plain/resume", "{}", viewer).status()).isEqualTo(403);
    assertThat(server.get("/ui/queues").status()).isEqualTo(303);
  }
}
