package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AttemptListTest {
  private static final int ATTEMPTS = 120;

  private static ApiServer api;
  private static String attempts;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
    String id = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").field("id");
    api.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        select '%s', now() + n * interval '1 s', now() + n * interval '1 s', n, 'failed', 'r', 'no',
          'node', '{"n":' || n || '}'
        from generate_series(1, %d) n
        """
            .formatted(id, ATTEMPTS));
    attempts = "/v1/jobs/" + id + "/attempts";
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void a_list_has_fifty_attempts_unless_it_is_told_how_many() {
    assertThat(api.get(attempts).json().path("items").size()).isEqualTo(50);
    assertThat(api.get(attempts + "?limit=7").json().path("items").size()).isEqualTo(7);
    assertThat(api.get(attempts + "?limit=200").json().path("items").size()).isEqualTo(ATTEMPTS);
    assertThat(api.get(attempts + "?limit=200").json().has("nextCursor")).isFalse();
    assertThat(api.get(attempts + "?limit=201").status()).isEqualTo(400);
  }

  @Test
  void pages_show_every_attempt_once_oldest_first() {
    List<Integer> shown = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = api.get(attempts + "?limit=50" + cursor);
      assertThat(page.status()).as(page.body()).isEqualTo(200);
      page.json().path("items").forEach(item -> shown.add(item.path("detail").path("n").asInt()));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.field("nextCursor") : "";
    } while (!cursor.isEmpty());

    assertThat(shown).isEqualTo(IntStream.rangeClosed(1, ATTEMPTS).boxed().toList());
  }

  @Test
  void a_cursor_that_no_list_answered_is_refused() {
    for (String cursor :
        new String[] {
          "x", "***", "-1", "1-", "1-1-1", "1-x", "1".repeat(19), "1-" + "1".repeat(19)
        }) {
      Reply reply = api.get(attempts + "?cursor=" + cursor);
      assertThat(reply.status()).as(cursor).isEqualTo(400);
      assertThat(reply.field("code")).isEqualTo("invalid_cursor");
    }
    for (String far : new String[] {"9".repeat(18), "9".repeat(18) + "-" + "9".repeat(18)}) {
      assertThat(api.get(attempts + "?cursor=" + far).json().path("items").size()).isZero();
    }
  }
}
