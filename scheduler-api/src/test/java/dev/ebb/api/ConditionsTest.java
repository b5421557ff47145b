package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that say what they assume of a queue: If-Match, If-None-Match, ETag. */
class ConditionsTest {
  private static final String RUNS = "{\"paused\":false}";
  private static final String LIMITED = "{\"paused\":false,\"maxConcurrency\":7}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String tag(String queue) {
    String tag = api.get("/v1/queues/" + queue).header("etag");
    assertThat(tag).matches("\"[-_A-Za-z0-9]{22}\"");
    return tag;
  }

  @Test
  void settings_are_replaced_only_by_those_who_saw_them() {
    api.put("/v1/queues/seen", RUNS);
    String tag = tag("seen");

    Reply blind = api.put("/v1/queues/seen", LIMITED);
    Reply first = api.put("/v1/queues/seen", LIMITED, "If-Match", tag);
    Reply second = api.put("/v1/queues/seen", RUNS, "If-Match", tag);

    assertThat(blind.status()).isEqualTo(428);
    assertThat(blind.field("code")).isEqualTo("precondition_required");
    assertThat(first.status()).isEqualTo(200);
    assertThat(second.status()).isEqualTo(412);
    assertThat(second.field("code")).isEqualTo("precondition_failed");
    assertThat(api.get("/v1/queues/seen").json().path("maxConcurrency").asInt()).isEqualTo(7);
    assertThat(api.put("/v1/queues/seen", RUNS, "If-Match", tag("seen")).status()).isEqualTo(200);
  }

  @Test
  void what_is_not_there_needs_no_condition_and_meets_none_that_names_a_state() {
    assertThat(api.put("/v1/queues/new-1", RUNS).status()).isEqualTo(201);
    assertThat(api.put("/v1/queues/new-2", RUNS, "If-None-Match", "*").status()).isEqualTo(201);
    for (String tag : new String[] {"*", "\"abc\""}) {
      assertThat(api.put("/v1/queues/new-3", RUNS, "If-Match", tag).status()).isEqualTo(412);
    }
    assertThat(api.get("/v1/queues/new-3").status()).isEqualTo(404);
    assertThat(api.put("/v1/queues/new-2", RUNS, "If-None-Match", "*").status()).isEqualTo(412);
    assertThat(api.put("/v1/queues/new-2", RUNS, "If-None-Match", "\"abc\"").status())
        .as("it says nothing of what it replaces")
        .isEqualTo(428);
  }

  @Test
  void a_queue_that_merely_has_jobs_has_no_tag_and_needs_no_condition() {
    api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"merely\"}");

    assertThat(api.get("/v1/queues/merely").header("etag")).isEmpty();
    assertThat(api.put("/v1/queues/merely", RUNS, "If-None-Match", "*").status()).isEqualTo(201);
  }

  @Test
  void lists_stars_and_strong_tags_match_and_weak_ones_do_not() {
    api.put("/v1/queues/lists", RUNS);
    String tag = tag("lists");

    assertThat(api.put("/v1/queues/lists", RUNS, "If-Match", "\"x\", ," + tag).status())
        .isEqualTo(200);
    assertThat(api.put("/v1/queues/lists", RUNS, "If-Match", "\"x\"", "If-Match", tag).status())
        .isEqualTo(200);
    assertThat(api.put("/v1/queues/lists", RUNS, "If-Match", "*").status()).isEqualTo(200);
    assertThat(api.put("/v1/queues/lists", RUNS, "If-Match", "W/" + tag).status()).isEqualTo(412);
    assertThat(
            api.put("/v1/queues/lists", RUNS, "If-Match", tag, "If-None-Match", "W/" + tag)
                .status())
        .isEqualTo(412);
    assertThat(tag("lists")).as("the same settings").isEqualTo(tag);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "\"abc", "\"a\" \"b\"", "*, \"a\"", "'a'", "w/\"a\"", ","})
  void a_header_that_is_no_list_of_tags_is_refused(String value) {
    api.put("/v1/queues/malformed", RUNS);
    for (String header : new String[] {"If-Match", "If-None-Match"}) {
      Reply reply = api.put("/v1/queues/malformed", LIMITED, header, value);

      assertThat(reply.status()).as(header + ": " + value).isEqualTo(400);
      assertThat(reply.field("detail")).contains(header);
    }
    assertThat(api.get("/v1/queues/malformed").json().has("maxConcurrency")).isFalse();
  }

  @Test
  void what_the_sender_has_already_is_not_sent_again() {
    api.put("/v1/queues/cached", RUNS);
    String tag = tag("cached");

    Reply same = get("cached", "W/\"x\", " + tag);
    Reply other = get("cached", "\"x\"");
    api.post("/v1/queues/cached/pause", "");
    Reply paused = get("cached", tag);

    assertThat(same.status()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
    assertThat(same.header("etag")).isEqualTo(tag);
    assertThat(other.status()).isEqualTo(200);
    assertThat(paused.status()).as("a pause is part of it").isEqualTo(200);
  }

  @Test
  void time_alone_changes_the_tag_where_it_ends_a_pause() {
    api.post("/v1/queues/timed/pause", "{\"until\":\"2099-01-01T00:00:00Z\"}");
    String paused = tag("timed");

    api.execute("update ebb.queue set paused_until = now() where name = 'timed'");

    assertThat(get("timed", paused).status()).isEqualTo(200);
    assertThat(api.put("/v1/queues/timed", RUNS, "If-Match", paused).status()).isEqualTo(412);
  }

  @Test
  void a_queue_is_deleted_as_it_was_seen_or_else_kept() {
    api.put("/v1/queues/deleted", RUNS);
    String tag = tag("deleted");
    api.put("/v1/queues/deleted", LIMITED, "If-Match", tag);

    assertThat(delete("deleted", tag).status()).isEqualTo(412);
    assertThat(delete("nowhere", tag).status()).isEqualTo(404);
    assertThat(delete("deleted", tag("deleted")).status()).isEqualTo(204);
  }

  private static Reply get(String queue, String noneMatch) {
    HttpRequest.Builder request = api.request("/v1/queues/" + queue);
    return api.send(request.header("If-None-Match", noneMatch).GET());
  }

  private static Reply delete(String queue, String match) {
    HttpRequest.Builder request = api.request("/v1/queues/" + queue);
    return api.send(request.header("If-Match", match).DELETE());
  }
}
