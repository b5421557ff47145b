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
  void a_cursor_goes_on_below_the_same_job_with_another_filter() {
    String oldest = submit("goes-on", "other");
    submit("goes-on", "report");
    submit("goes-on", "report");
    String cursor = api.get("/v1/jobs?queue=goes-on&kind=report&limit=1").field("nextCursor");

    Reply others = api.get("/v1/jobs?queue=goes-on&kind=other&cursor=" + cursor);

    assertThat(others.json().path("items").findValuesAsString("id")).containsExactly(oldest);
  }

  @Test
  void a_cursor_that_no_list_answered_is_refused() {
    String cursor = submit("refused", "report");

    assertThat(api.get("/v1/jobs?cursor=" + cursor).status()).isEqualTo(200);
    for (String none : new String[] {cursor.substring(1), cursor + "0", "1-1-1-1-1"}) {
      Reply reply = api.get("/v1/jobs?cursor=" + none);
      assertThat(reply.status()).as(none).isEqualTo(400);
      assertThat(reply.field("code")).isEqualTo("invalid_cursor");
    }
  }

  private static String submit(String queue, String kind) {
    return api.post(
            "/v1/jobs", "{\"kind\":\"" + kind + "\",\"payload\":1,\"queue\":\"" + queue + "\"}")
        .field("id");
  }
}
