package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

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
        from generate_series(1, %s) n
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
  void a_job_that_is_older_than_any_attempt_that_is_kept_says_since_when_they_are() {
    String id = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":2}").field("id");
    String old = api.text("select ebb.first_id(now() - interval '40 days')");
    api.execute("update ebb.job set id = '" + old + "' where id = '" + id + "'");

    JsonNode list = api.get("/v1/jobs/" + old + "/attempts").json();

    assertThat(list.path("items").isEmpty()).isTrue();
    assertThat(list.path("goneBefore").asString()).endsWith("T00:00:00Z");
    assertThat(api.get(attempts).json().has("goneBefore")).as("of a younger job").isFalse();
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
  void one_attempt_is_shown_as_in_the_list() {
    JsonNode listed = api.get(attempts + "?limit=7").json().path("items").path(6);

    Reply one = api.get(attempts + "/7");

    assertThat(one.status()).as(one.body()).isEqualTo(200);
    assertThat(one.json()).isEqualTo(listed);
    assertThat(api.get(attempts + "/" + (ATTEMPTS + 1)).field("code"))
        .isEqualTo("attempt_not_found");
    assertThat(api.get("/v1/jobs/" + ApiServer.UNKNOWN_ID + "/attempts/1").field("code"))
        .isEqualTo("job_not_found");
  }

  @Test
  void of_attempts_with_one_number_the_newest_is_shown() {
    String id = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").field("id");
    api.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node)
        select '%s', now() + n * interval '1 s', now() + n * interval '1 s', 1, 'failed', 'n' || n
        from unnest(array[2, 3, 1]) n
        """
            .formatted(id));

    assertThat(api.get("/v1/jobs/" + id + "/attempts/1").field("node")).isEqualTo("n3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "01", "-1", "+1", "1001", "99999999999", "x", "1.0", "%20"})
  void what_is_no_number_of_an_attempt_is_refused(String number) {
    Reply reply = api.get(attempts + "/" + number);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo("n");
  }

  @Test
  void an_attempt_tells_when_it_was_due_and_what_it_waited_for_unless_that_was_not_kept() {
    String id = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").field("id");
    api.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, node, due_at, short_since, short_until)
        values
          ('%1$s', '2026-01-01 00:00:09Z', '2026-01-01 00:00:09Z', 1, 'failed', 'node',
            '2026-01-01 00:00:02Z', '2026-01-01 00:00:01Z', '2026-01-01 00:00:07Z'),
          ('%1$s', '2026-01-01 00:01:00Z', '2026-01-01 00:01:00Z', 2, 'failed', 'node',
            null, null, null)
        """
            .formatted(id));

    JsonNode items = api.get("/v1/jobs/" + id + "/attempts").json().path("items");

    assertThat(items.path(0).path("dueAt").asString()).isEqualTo("2026-01-01T00:00:02Z");
    assertThat(items.path(0).path("waited").path("limiter").asString()).isEqualTo("PT5S");
    assertThat(items.path(0).path("waited").path("slot").asString()).isEqualTo("PT2S");
    assertThat(items.path(1).has("dueAt")).isFalse();
    assertThat(items.path(1).has("waited")).isFalse();
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
