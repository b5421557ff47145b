package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.DeadLetters;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class QueuesTest {
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
  void put_creates_a_queue_then_replaces_its_settings() {
    Reply created = api.put("/v1/queues/payments", "{\"paused\":true,\"policy\":\"wechat\"}");
    Reply replaced = api.set("/v1/queues/payments", "{\"paused\":false}");

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("location")).isEqualTo("/v1/queues/payments");
    assertThat(created.json().path("paused").asBoolean()).isTrue();
    assertThat(created.json().path("policy").path("jitter").asString()).isEqualTo("list");
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.json().path("paused").asBoolean(true)).isFalse();
    assertThat(replaced.json().has("policy")).isFalse();
    assertThat(api.get("/v1/queues/payments").body()).isEqualTo(replaced.body());
    assertThat(api.get("/v1/queues").json().path("items").findValuesAsString("name"))
        .contains("payments");
  }

  @Test
  void a_queues_policy_gives_its_jobs_their_budget() {
    api.put("/v1/queues/budget", "{\"paused\":false,\"policy\":\"sip\"}");

    Reply job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"budget\"}");

    assertThat(job.json().path("maxAttempts").asInt()).isEqualTo(11);
  }

  @Test
  void settings_that_break_a_rule_change_nothing() {
    String[][] bad = {
      {"{}", "/paused"},
      {"{\"paused\":\"true\"}", "/paused"},
      {"{\"paused\":1}", "/paused"},
      {"{\"paused\":null}", "/paused"},
      {"{\"paused\":true,\"policy\":{}}", "/policy/base"},
      {"{\"paused\":true,\"maxConcurrency\":0}", "/maxConcurrency"},
      {"{\"paused\":true,\"maxConcurrency\":100001}", "/maxConcurrency"},
      {"{\"paused\":true,\"maxConcurrency\":\"5\"}", "/maxConcurrency"},
      {"{\"paused\":true,\"maxDepth\":0}", "/maxDepth"},
      {"{\"paused\":true,\"maxDepth\":10000001}", "/maxDepth"},
      {"{\"paused\":true,\"weight\":0}", "/weight"},
      {"{\"paused\":true,\"weight\":101}", "/weight"},
      {"{\"paused\":true,\"weight\":1.5}", "/weight"},
      {"{\"paused\":true,\"rateLimit\":5}", "/rateLimit"},
      {limit("{}"), "/rateLimit/permitsPerSecond"},
      {limit("{\"permitPerSecond\":10}"), "/rateLimit/permitPerSecond"},
      {limit("{\"permitsPerSecond\":0}"), "/rateLimit/permitsPerSecond"},
      {limit("{\"permitsPerSecond\":-1}"), "/rateLimit/permitsPerSecond"},
      {limit("{\"permitsPerSecond\":1e300}"), "/rateLimit/permitsPerSecond"},
      {limit("{\"permitsPerSecond\":\"10\"}"), "/rateLimit/permitsPerSecond"},
      {limit("{\"permitsPerSecond\":10,\"warmUp\":10}"), "/rateLimit/warmUp"},
      {limit("{\"permitsPerSecond\":10,\"warmUp\":\"-PT1S\"}"), "/rateLimit/warmUp"},
      {limit("{\"permitsPerSecond\":10,\"warmUp\":\"P2D\"}"), "/rateLimit/warmUp"},
      {limit("{\"permitsPerSecond\":10,\"coldFactor\":0.9}"), "/rateLimit/coldFactor"},
      {limit("{\"permitsPerSecond\":0.01,\"coldFactor\":50}"), "/rateLimit/coldFactor"},
      {limit("{\"permitsPerSecond\":10,\"throttleFactor\":0}"), "/rateLimit/throttleFactor"},
      {limit("{\"permitsPerSecond\":10,\"burst\":5}"), "/rateLimit/burst"},
      {ordering("\"PT1H\""), "/ordering"},
      {ordering("{\"maxHold\":3600}"), "/ordering/maxHold"},
      {ordering("{\"maxHold\":\"PT0.9S\"}"), "/ordering/maxHold"},
      {ordering("{\"maxHold\":\"P30DT1S\"}"), "/ordering/maxHold"},
      {ordering("{}"), "/ordering/maxHold"},
      {ordering("{\"hold\":\"PT1H\"}"), "/ordering/hold"},
      {"[]", ""},
      {"{\"paused\":true,\"paused\":false}", "/paused"}
    };
    for (String[] one : bad) {
      Reply reply = api.put("/v1/queues/strict", one[0]);
      assertThat(reply.status()).as(one[0]).isEqualTo(400);
      assertThat(reply.firstPointer()).as(one[0]).isEqualTo(one[1]);
    }
    assertThat(api.get("/v1/queues/strict").status()).isEqualTo(404);
    assertThat(api.put("/v1/queues/Strict", "{\"paused\":true}").status()).isEqualTo(400);
  }

  private static String ordering(String ordering) {
    return "{\"paused\":false,\"ordering\":" + ordering + "}";
  }

  @Test
  void the_longest_hold_of_ordering_keys_is_set_told_in_the_audit_and_gone_when_left_out() {
    Reply put = api.put("/v1/queues/ledger", ordering("{\"maxHold\":\"PT90M\"}"));
    assertThat(put.json().at("/ordering/maxHold").asString()).isEqualTo("PT1H30M");
    assertThat(api.get("/v1/queues/ledger").body()).isEqualTo(put.body());

    assertThat(api.set("/v1/queues/ledger", limit("null")).json().has("ordering")).isFalse();

    assertThat(api.get("/v1/audit?subject=ledger&limit=1").json().at("/items/0/changes").toString())
        .isEqualTo("[{\"field\":\"ordering\",\"from\":\"{\\\"maxHold\\\":\\\"PT1H30M\\\"}\"}]");
  }

  private static String limit(String rateLimit) {
    return "{\"paused\":false,\"rateLimit\":" + rateLimit + "}";
  }

  @Test
  void limits_are_shown_as_they_were_set_and_are_gone_when_left_out() {
    String settings =
        "{\"paused\":false,\"maxConcurrency\":50,\"weight\":3,\"rateLimit\":"
            + "{\"permitsPerSecond\":200,\"warmUp\":\"PT1M\",\"coldFactor\":4}}";

    Reply put = api.put("/v1/queues/limits", settings);

    assertThat(put.status()).isEqualTo(201);
    assertThat(put.json().path("maxConcurrency").asInt()).isEqualTo(50);
    assertThat(put.json().path("weight").asInt()).isEqualTo(3);
    assertThat(put.json().path("rateLimit").path("warmUp").asString()).isEqualTo("PT1M");
    assertThat(put.json().path("rateLimit").path("throttleFactor").asDouble()).isEqualTo(0.5);
    assertThat(api.get("/v1/queues/limits").body()).isEqualTo(put.body());
    Reply without = api.set("/v1/queues/limits", "{\"paused\":false}");
    assertThat(without.json().has("rateLimit")).isFalse();
    assertThat(without.json().has("maxConcurrency")).isFalse();
    assertThat(without.json().has("weight")).isFalse();
  }

  @Test
  void the_limiter_shows_its_phase_its_rates_and_its_curve() {
    api.put(
        "/v1/queues/ramp",
        limit("{\"permitsPerSecond\":200,\"warmUp\":\"PT10S\",\"coldFactor\":4}"));

    Reply limiter = api.get("/v1/queues/ramp/limiter");

    assertThat(limiter.status()).isEqualTo(200);
    assertThat(limiter.json().path("phase").asString()).isEqualTo("cold");
    assertThat(limiter.json().path("currentRate").asDouble()).isEqualTo(50);
    assertThat(limiter.json().path("stableRate").asDouble()).isEqualTo(200);
    assertThat(limiter.json().path("configuredRate").asDouble()).isEqualTo(200);
    assertThat(limiter.json().path("storedPermits").asDouble())
        .isEqualTo(limiter.json().path("maxPermits").asDouble());
    assertThat(limiter.json().path("coldRate").asDouble()).isEqualTo(50);
    assertThat(Instant.parse(limiter.json().path("warmAt").asString()))
        .isBetween(Instant.now().plusSeconds(5), Instant.now().plusSeconds(15));
    JsonNode curve = limiter.json().path("curve");
    assertThat(curve.size()).isEqualTo(41);
    assertThat(curve.path(0).path("rate").asDouble()).isEqualTo(50);
    assertThat(curve.path(20).path("seconds").asDouble()).isEqualTo(10);
    assertThat(curve.path(20).path("permits").asDouble()).isCloseTo(800, within(1.0));
    assertThat(curve.path(40).path("rate").asDouble()).isEqualTo(200);
    assertThat(limiter.json().has("throttledAt")).isFalse();
  }

  @Test
  void a_queue_without_a_rate_limit_is_unlimited_and_has_no_ramp_to_begin_anew() {
    api.put("/v1/queues/free", "{\"paused\":false}");

    assertThat(api.get("/v1/queues/free/limiter").body()).isEqualTo("{\"phase\":\"unlimited\"}");
    assertThat(api.post("/v1/queues/free/warm-up", "").status()).isEqualTo(409);
    assertThat(api.get("/v1/queues/nowhere/limiter").status()).isEqualTo(404);
    assertThat(api.post("/v1/queues/nowhere/warm-up", "").status()).isEqualTo(404);
  }

  @Test
  void warm_up_begins_the_ramp_anew() {
    api.put("/v1/queues/again", limit("{\"permitsPerSecond\":200,\"warmUp\":\"PT1H\"}"));
    makeWarm("again");
    assertThat(api.get("/v1/queues/again/limiter").field("phase")).isEqualTo("warm");

    Reply limiter = api.post("/v1/queues/again/warm-up", "");

    assertThat(limiter.status()).isEqualTo(200);
    assertThat(limiter.json().path("phase").asString()).isEqualTo("cold");
  }

  private static void makeWarm(String queue) {
    api.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('%s', 0, now())"
                .formatted(queue)
            + " on conflict (queue) do update set coldness = 0, next_free_at = now()");
  }

  private static void letPass(String queue, String time) {
    api.execute(
        "update ebb.limiter set next_free_at = next_free_at - interval '%s' where queue = '%s'"
            .formatted(time, queue));
  }

  @Test
  void a_fixed_rate_has_no_ramp_to_begin_anew() {
    api.put("/v1/queues/fixed", limit("{\"permitsPerSecond\":200}"));

    assertThat(api.get("/v1/queues/fixed/limiter").field("phase")).isEqualTo("warm");
    assertThat(api.post("/v1/queues/fixed/warm-up", "").status()).isEqualTo(409);
  }

  @Test
  void a_resume_warms_up_unless_it_is_told_not_to() {
    String settings = "{\"paused\":%s,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}";
    api.put("/v1/queues/resumed", settings.formatted(false));
    for (boolean warmUp : new boolean[] {false, true}) {
      makeWarm("resumed");
      api.set("/v1/queues/resumed", settings.formatted(true));
      api.set("/v1/queues/resumed?warmUp=" + warmUp, settings.formatted(false));

      assertThat(api.get("/v1/queues/resumed/limiter").field("phase"))
          .isEqualTo(warmUp ? "cold" : "warm");
    }
  }

  @Test
  void pause_and_resume_leave_the_other_settings_and_come_back_through_the_ramp() {
    String limits =
        "\"maxConcurrency\":5,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}";
    Reply put = api.put("/v1/queues/tide", "{\"paused\":false,\"policy\":\"sip\"," + limits + "}");
    for (boolean warmUp : new boolean[] {false, true}) {
      makeWarm("tide");

      Reply paused = api.post("/v1/queues/tide/pause", "");
      letPass("tide", "2 hours");
      Reply resumed = api.post("/v1/queues/tide/resume?warmUp=" + warmUp, "{}");

      assertThat(paused.status()).isEqualTo(200);
      assertThat(paused.body().replaceFirst("\"pause\":\\{[^}]*},", ""))
          .isEqualTo(put.body().replace("\"paused\":false", "\"paused\":true"));
      assertThat(resumed.body()).isEqualTo(put.body());
      assertThat(api.get("/v1/queues/tide/limiter").field("phase"))
          .isEqualTo(warmUp ? "cold" : "warm");
    }
    makeWarm("tide");
    api.post("/v1/queues/tide/resume", "");
    assertThat(api.get("/v1/queues/tide/limiter").field("phase"))
        .as("nothing was paused")
        .isEqualTo("warm");
  }

  @Test
  void what_cannot_be_paused_or_resumed_is_refused() {
    assertThat(api.post("/v1/queues/nowhere/resume", "").status()).isEqualTo(404);
    for (String verb : new String[] {"pause", "resume"}) {
      assertThat(api.post("/v1/queues/No/" + verb, "").status()).isEqualTo(400);
      assertThat(api.post("/v1/queues/nowhere/" + verb, "{\"until\":1}").status()).isEqualTo(400);
    }
    assertThat(api.post("/v1/queues/nowhere/pause?warmUp=false", "").status()).isEqualTo(400);
    assertThat(api.get("/v1/queues/nowhere").status()).isEqualTo(404);
  }

  @Test
  void a_queue_can_be_paused_before_it_has_a_job() {
    Reply paused = api.post("/v1/queues/early/pause", "");

    assertThat(paused.status()).isEqualTo(200);
    assertThat(paused.json().path("paused").asBoolean()).isTrue();
    assertThat(paused.json().path("configured").asBoolean()).isTrue();
    assertThat(api.get("/v1/queues/early").body()).isEqualTo(paused.body());
  }

  @Test
  void a_queue_that_merely_has_jobs_is_shown_with_the_defaults() {
    submit("merely");

    Reply queue = api.get("/v1/queues/merely");

    assertThat(queue.body())
        .isEqualTo("{\"name\":\"merely\",\"configured\":false,\"paused\":false}");
    assertThat(api.get("/v1/queues/merely/limiter").field("phase")).isEqualTo("unlimited");
    assertThat(api.post("/v1/queues/merely/warm-up", "").status()).isEqualTo(409);
    assertThat(api.get("/v1/queues").json().path("items").findValuesAsString("name"))
        .contains("merely");
    Reply resumed = api.post("/v1/queues/merely/resume", "");
    assertThat(resumed.json().path("configured").asBoolean()).isTrue();
  }

  @Test
  void an_empty_queue_that_is_deleted_has_lost_its_settings_and_its_limiter() {
    api.put("/v1/queues/gone", limit("{\"permitsPerSecond\":200,\"warmUp\":\"PT1H\"}"));
    makeWarm("gone");

    Reply deleted = api.send(api.request("/v1/queues/gone").DELETE());

    assertThat(deleted.status()).isEqualTo(204);
    assertThat(deleted.body()).isEmpty();
    assertThat(api.get("/v1/queues/gone").status()).isEqualTo(404);
    assertThat(api.number("select count(*) from ebb.limiter where queue = 'gone'")).isZero();
    for (String queue : new String[] {"gone", "nowhere"}) {
      Reply again = api.send(api.request("/v1/queues/" + queue).DELETE());
      assertThat(again.status()).isEqualTo(404);
      assertThat(again.field("code")).isEqualTo("queue_not_found");
    }
    assertThat(api.send(api.request("/v1/queues/No").DELETE()).status()).isEqualTo(400);
  }

  @Test
  void a_queue_with_jobs_or_dead_letters_keeps_its_settings() {
    submit("kept");
    api.put("/v1/queues/kept", "{\"paused\":true}");

    Reply full = api.send(api.request("/v1/queues/kept").DELETE());
    api.execute("delete from ebb.job where queue = 'kept'");
    DeadLetters.in("kept").store(api.config(), 1);
    Reply dead = api.send(api.request("/v1/queues/kept").DELETE());

    assertThat(full.status()).isEqualTo(409);
    assertThat(full.field("code")).isEqualTo("queue_not_empty");
    assertThat(full.field("detail")).contains("jobs");
    assertThat(dead.status()).isEqualTo(409);
    assertThat(dead.field("detail")).contains("dead letters");
    assertThat(api.get("/v1/queues/kept").json().path("paused").asBoolean()).isTrue();
  }

  @Test
  void a_purge_needs_the_queues_name_and_tells_what_it_took() {
    submit("purged");
    submit("purged");
    String[][] bad = {
      {"{}", "/confirm"},
      {"{\"confirm\":\"purge\"}", "/confirm"},
      {"{\"confirm\":\"purged\",\"states\":[\"running\"]}", "/states"},
      {"{\"confirm\":\"purged\",\"states\":[" + "\"available\",".repeat(3) + "1]}", "/states"},
      {"{\"confirm\":\"purged\",\"state\":[]}", "/state"}
    };
    for (String[] one : bad) {
      Reply refused = api.post("/v1/queues/purged/purge", one[0]);
      assertThat(refused.status()).as(one[0]).isEqualTo(400);
      assertThat(refused.firstPointer()).as(one[0]).isEqualTo(one[1]);
    }
    assertThat(api.number("select count(*) from ebb.job where queue = 'purged'")).isEqualTo(2);

    Reply purged = api.post("/v1/queues/purged/purge", "{\"confirm\":\"purged\"}");

    assertThat(purged.body()).isEqualTo("{\"purged\":2,\"remaining\":0}");
    assertThat(api.get("/v1/jobs?queue=purged").json().path("items").findValuesAsString("state"))
        .containsExactly("cancelled", "cancelled");
  }

  @Test
  void the_list_has_pages() {
    for (String queue : new String[] {"page-1", "page-3", "page-5"}) {
      api.put("/v1/queues/" + queue, "{\"paused\":false}");
    }
    submit("page-2");
    submit("page-4");

    Reply first = api.get("/v1/queues?limit=2&cursor=page");
    Reply second = api.get("/v1/queues?limit=2&cursor=" + first.field("nextCursor"));

    assertThat(first.json().path("items").findValuesAsString("name"))
        .containsExactly("page-1", "page-2");
    assertThat(first.json().path("items").findValuesAsString("configured"))
        .containsExactly("true", "false");
    assertThat(second.json().path("items").findValuesAsString("name"))
        .containsExactly("page-3", "page-4");
    assertThat(api.get("/v1/queues?limit=1000&cursor=page-4").json().has("nextCursor")).isFalse();
    assertThat(api.get("/v1/queues?limit=1001").status()).isEqualTo(400);
    assertThat(api.get("/v1/queues?cursor=UPPER").field("code")).isEqualTo("invalid_cursor");
  }

  private static void submit(String queue) {
    String job = "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"}";
    assertThat(api.post("/v1/jobs", job).status()).isEqualTo(201);
  }

  @Test
  void a_cut_is_seen_in_the_limiter() {
    api.put("/v1/queues/cut", limit("{\"permitsPerSecond\":200}"));
    makeWarm("cut");
    cut("cut", Duration.ofSeconds(9));

    Reply limiter = api.get("/v1/queues/cut/limiter");

    assertThat(limiter.json().has("throttledAt")).isTrue();
    assertThat(limiter.json().path("stableRate").asDouble()).isEqualTo(100);
    assertThat(limiter.json().path("configuredRate").asDouble()).isEqualTo(200);
    api.set("/v1/queues/cut", limit("{\"permitsPerSecond\":200,\"throttleFactor\":1}"));
    Reply off = api.get("/v1/queues/cut/limiter");
    assertThat(off.json().has("throttledAt")).as("the loop is off").isFalse();
    assertThat(off.json().path("currentRate").asDouble()).isEqualTo(200);
  }

  @Test
  void a_cut_that_has_recovered_is_not_shown() {
    // A sixtieth of a second in microseconds, and back, is less than sixty.
    api.put("/v1/queues/mended", limit("{\"permitsPerSecond\":60}"));
    makeWarm("mended");
    cut("mended", Duration.ofMinutes(-10));

    Reply limiter = api.get("/v1/queues/mended/limiter");

    assertThat(limiter.json().has("throttledAt")).isFalse();
    assertThat(limiter.json().path("stableRate").asDouble()).isEqualTo(60);
    assertThat(limiter.json().path("currentRate").asDouble()).isEqualTo(60);
  }

  private static void cut(String queue, Duration from) {
    api.execute(
        """
        update ebb.limiter
        set cut_ceiling = 1, cut_factor = 0.5, cut_at = now() + interval '%1$s s',
          cut_quiet_since = now() + interval '%1$s s'
        where queue = '%2$s'
        """
            .formatted(from.toSeconds(), queue));
  }

  @Test
  void whether_to_warm_up_is_true_or_false() {
    assertThat(api.put("/v1/queues/switch?warmUp=false", "{\"paused\":false}").status())
        .isEqualTo(201);
    assertThat(api.put("/v1/queues/switch?warmUp=no", "{\"paused\":false}").status())
        .isEqualTo(400);
    assertThat(api.put("/v1/queues/switch?warm=true", "{\"paused\":false}").status())
        .isEqualTo(400);
  }
}
