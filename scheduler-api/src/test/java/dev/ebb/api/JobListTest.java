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
  void a_cursor_belongs_to_its_filter_whatever_the_order_of_its_parameters() {
    for (int i = 0; i < 3; i++) {
      submit("belongs", "report");
    }
    String cursor = api.get("/v1/jobs?queue=belongs&kind=report&limit=1").field("nextCursor");

    Reply same = api.get("/v1/jobs?q=kind:report+queue:belongs&limit=2&cursor=" + cursor);
    Reply other = api.get("/v1/jobs?queue=belongs&cursor=" + cursor);

    assertThat(ids(same)).hasSize(2);
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.field("code")).isEqualTo("invalid_cursor");
    assertThat(other.field("detail")).contains("another filter");
  }

  @Test
  void a_list_begins_with_the_oldest_where_it_is_asked_to_and_its_cursor_belongs_to_that() {
    List<String> submitted = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      submitted.add(submit("sorted", "report"));
    }

    Reply first = api.get("/v1/jobs?queue=sorted&sort=createdAt&limit=2");
    String cursor = first.field("nextCursor");
    Reply rest = api.get("/v1/jobs?queue=sorted&sort=createdAt&cursor=" + cursor);
    Reply other = api.get("/v1/jobs?queue=sorted&cursor=" + cursor);

    assertThat(ids(first)).isEqualTo(submitted.subList(0, 2));
    assertThat(first.header("link")).contains("sort=createdAt", cursor);
    assertThat(first.json().path("looked").propertyNames()).containsExactly("jobs", "upTo");
    assertThat(ids(rest)).isEqualTo(submitted.subList(2, 3));
    assertThat(other.field("code")).isEqualTo("invalid_cursor");
    assertThat(other.field("detail")).contains("sort");
    assertThat(ids(api.get("/v1/jobs?queue=sorted&sort=-createdAt")))
        .isEqualTo(submitted.reversed());
  }

  @Test
  void a_list_shows_payloads_where_it_is_asked_to_and_hides_the_secrets_of_deliveries() {
    String delivery =
        "{\"kind\":\"http\",\"queue\":\"viewed\",\"payload\":{\"url\":\"http://a.example/\","
            + "\"headers\":{\"Authorization\":\"hidden\"},\"body\":{\"order\":9.10}}}";
    assertThat(api.post("/v1/jobs", delivery).status()).isEqualTo(201);
    Reply alone = api.get("/v1/jobs/" + ids(api.get("/v1/jobs?queue=viewed")).getFirst());

    Reply full = api.get("/v1/jobs?queue=viewed&view=full");

    assertThat(full.body()).contains("\"order\":9.10").doesNotContain("hidden");
    assertThat(full.json().at("/items/0")).isEqualTo(alone.json());
    for (String basic : new String[] {"", "&view=basic"}) {
      assertThat(api.get("/v1/jobs?queue=viewed" + basic).json().at("/items/0").has("payload"))
          .isFalse();
    }
  }

  @Test
  void an_unknown_sort_or_view_is_refused_by_name() {
    for (String broken : new String[] {"sort=CreatedAt", "sort=runAt", "view=Full", "view=all"}) {
      Reply reply = api.get("/v1/jobs?" + broken);
      assertThat(reply.status()).as(broken).isEqualTo(400);
      assertThat(reply.firstPointer()).isEqualTo(broken.replaceAll("=.*", ""));
      assertThat(reply.field("detail")).contains("must be one of");
    }
  }

  @Test
  void a_cursor_of_an_age_holds_although_time_goes_on() {
    submit("ages", "report");
    submit("ages", "report");
    String path = "/v1/jobs?q=queue:ages+age%3C1h&limit=1";

    Reply next = api.get(path + "&cursor=" + api.get(path).field("nextCursor"));

    assertThat(ids(next)).hasSize(1);
  }

  @Test
  void a_cursor_that_no_list_answered_is_refused() {
    submit("refused", "report");
    submit("refused", "report");
    String cursor = api.get("/v1/jobs?limit=1").field("nextCursor");

    assertThat(api.get("/v1/jobs?cursor=" + cursor).status()).isEqualTo(200);
    for (String none :
        new String[] {cursor.substring(1), cursor + "0", cursor.substring(0, 36), "1-1-1-1-1"}) {
      Reply reply = api.get("/v1/jobs?cursor=" + none);
      assertThat(reply.status()).as(none).isEqualTo(400);
      assertThat(reply.field("code")).isEqualTo("invalid_cursor");
    }
  }

  @Test
  void parameters_given_more_than_once_are_alternatives_and_labels_add_up() {
    String a = submit("many-a", "report", "{\"m\":\"x\",\"r\":\"eu\"}");
    String b = submit("many-b", "report", "{\"m\":\"x\",\"r\":\"us\"}");

    assertThat(ids(api.get("/v1/jobs?queue=many-a&queue=many-b"))).containsExactly(b, a);
    assertThat(ids(api.get("/v1/jobs?label=m:x&label=r:eu"))).containsExactly(a);
    assertThat(ids(api.get("/v1/jobs?q=label:m=x+-label:r=eu"))).containsExactly(b);
  }

  @Test
  void a_parameter_or_token_that_breaks_a_rule_is_named() {
    Reply query = api.get("/v1/jobs?q=queue:a+state:daed");
    assertThat(query.status()).isEqualTo(400);
    assertThat(query.firstPointer()).isEqualTo("q");
    assertThat(query.field("detail"))
        .contains("(position 9, state:daed) must be one of")
        .contains("did you mean dead?");

    for (String broken :
        new String[] {"label=m", "attemptsGte=x", "createdAfter=x", "createdBefore=1999-01-01"}) {
      Reply reply = api.get("/v1/jobs?" + broken);
      assertThat(reply.status()).as(broken).isEqualTo(400);
      assertThat(reply.firstPointer()).isEqualTo(broken.replaceAll("=.*", ""));
    }
  }

  @Test
  void a_page_says_how_far_it_looked() {
    submit("looked", "report");
    Reply page = api.get("/v1/jobs?queue=nobody");

    assertThat(page.json().at("/looked/jobs").asInt()).isEqualTo((int) api.stored());
    assertThat(page.json().at("/looked/backTo").asString()).endsWith("Z");
  }

  @Test
  void a_count_is_of_the_same_jobs_as_a_list() {
    submit("counted", "report", "{\"m\":\"counted\"}");
    submit("counted", "other");

    Reply count = api.get("/v1/jobs/count?q=queue:counted&label=m:counted");

    assertThat(count.json().path("count").asInt()).isEqualTo(1);
    assertThat(count.json().path("exact").asBoolean()).isTrue();
    assertThat(count.field("asOf")).endsWith("Z");
  }

  private static List<String> ids(Reply page) {
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return page.json().path("items").findValuesAsString("id");
  }

  private static String submit(String queue, String kind) {
    return submit(queue, kind, "{}");
  }

  private static String submit(String queue, String kind, String labels) {
    return api.post(
            "/v1/jobs",
            "{\"kind\":\"%s\",\"payload\":1,\"queue\":\"%s\",\"labels\":%s}"
                .formatted(kind, queue, labels))
        .field("id");
  }
}
