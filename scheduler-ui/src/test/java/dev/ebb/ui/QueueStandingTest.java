package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The first sentence of a queue's page, beside a node that could run its jobs. */
class QueueStandingTest {
  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    server.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('n', '1', 'hash', '{}', '{http,report}', 50)
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String sentence(String queue) {
    String page = server.get("/ui/queues/" + queue).body();
    Matcher found = Pattern.compile("<p class=\"sentence\">(.*?)</p>").matcher(page);
    assertThat(found.find()).as(page).isTrue();
    return found.group(1);
  }

  @Test
  void a_queue_whose_due_jobs_are_held_says_so() {
    for (int i = 0; i < 2; i++) {
      String job = server.submit("{\"kind\":\"report\",\"queue\":\"kept\",\"payload\":1}");
      assertThat(server.post("/v1/jobs/" + job + "/hold", "{}").status()).isEqualTo(200);
    }

    assertThat(sentence("kept"))
        .isEqualTo("kept has nothing to start: 2 jobs are held; none becomes due within the hour.");

    server.submit("{\"kind\":\"report\",\"queue\":\"kept\",\"payload\":1,\"delay\":\"PT10M\"}");
    assertThat(sentence("kept"))
        .startsWith(
            "kept has nothing to start: 2 jobs are held, 1 other waits for later; the next"
                + " becomes due at about <time");
  }

  @Test
  void a_throttled_queue_names_its_receiver_if_it_is_one() {
    server.put("/v1/queues/cut", "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":4}}");
    server.execute(
        """
        insert into ebb.limiter (
          queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
        values ('cut', 0, now(), 1, 0.5, now() + interval '1 day', now() + interval '1 day')
        """);
    assertThat(sentence("cut")).contains(": its receiver asked for less, last at <time");

    throttled("a.example");
    throttled("a.example");
    assertThat(sentence("cut")).contains(": a.example asked for less, last at <time");

    throttled("b.example");
    assertThat(sentence("cut")).contains(": its receiver asked for less, last at <time");
  }

  /** A job that waits, for the host answered 429. */
  private static void throttled(String host) {
    server.execute(
        """
        with waits as (
          insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload,
            destination)
          values (now() + interval '1 hour', 1, 9, 5, 'cut', 'http', '1', '%s')
          returning id
        )
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, failure_reason,
          failure, node)
        select id, now(), now(), 1, 'throttled', 'http_429', 'the destination answered 429', 'n'
        from waits
        """
            .formatted(host));
  }
}
