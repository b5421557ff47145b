package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class JobListTest {
  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void pages_show_every_job_once_newest_first() {
    List<String> submitted = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      submitted.addFirst(submit("pages", "report"));
    }
    submit("another", "report");

    List<String> shown = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = api.get("/v1/jobs?queue=pages&limit=3" + cursor);
      assertThat(page.status()).isEqualTo(200);
      shown.addAll(page.json().path("items").findValuesAsString("id"));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.field("nextCursor") : "";
    } while (!cursor.isEmpty());

    assertThat(shown).isEqualTo(submitted);
  }

  @Test
  void filters_are_joined_and_decoded() {
    String wanted = submit("filters", "a.b:c");
    submit("filters", "other");

    Reply list = api.get("/v1/jobs?queue=filters&kind=a.b%3Ac&state=available");

    assertThat(list.json().path("items").findValuesAsString("id")).containsExactly(wanted);
    assertThat(api.get("/v1/jobs?queue=filters&state=running").json().path("items").size())
        .isZero();
  }

  @Test
  void a_cursor_is_refused_with_another_filter() {
    submit("bound", "report");
    submit("bound", "report");
    String cursor = api.get("/v1/jobs?queue=bound&limit=1").field("nextCursor");

    assertThat(api.get("/v1/jobs?queue=bound&limit=2&cursor=" + cursor).status()).isEqualTo(200);
    for (String other : new String[] {"queue=other", "queue=bound&state=available", "kind=bound"}) {
      Reply reply = api.get("/v1/jobs?" + other + "&cursor=" + cursor);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.field("code")).isEqualTo("invalid_cursor");
    }
  }

  private static String submit(String queue, String kind) {
    return api.post(
            "/v1/jobs", "{\"kind\":\"" + kind + "\",\"payload\":1,\"queue\":\"" + queue + "\"}")
        .field("id");
  }
}
