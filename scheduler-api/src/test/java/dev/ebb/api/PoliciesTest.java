package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PoliciesTest {
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
  void every_preset_is_listed_and_can_be_previewed_as_it_is_shown() {
    JsonNode presets = api.get("/v1/policies").json().path("items");

    assertThat(presets.findValuesAsString("name")).contains("default", "ethernet", "sip", "wechat");
    for (JsonNode preset : presets) {
      Reply byName = preview("{\"policy\":" + preset.path("name") + "}");
      Reply byFields = preview("{\"policy\":" + preset.path("policy") + "}");
      assertThat(byName.status()).isEqualTo(200);
      assertThat(byFields.body()).isEqualTo(byName.body());
    }
  }

  @Test
  void a_preview_tells_each_attempts_start_and_the_end() {
    Reply reply =
        preview(
            "{\"policy\":{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT4S\"},\"maxAttempts\":4}");

    JsonNode fourth = reply.json().path("attempts").path(3);
    assertThat(reply.json().path("attempts").size()).isEqualTo(4);
    assertThat(fourth.path("number").asInt()).isEqualTo(4);
    assertThat(fourth.path("start").path("earliest").asString()).isEqualTo("PT7S");
    assertThat(fourth.path("start").path("latest").asString()).isEqualTo("PT7S");
    assertThat(reply.json().path("giveUp").path("median").asString()).isEqualTo("PT7S");
    assertThat(reply.json().path("priority").asInt()).isEqualTo(5);
  }

  @Test
  void a_preview_that_breaks_a_rule_is_refused_at_its_field() {
    assertThat(preview("{\"priority\":10}").firstPointer()).isEqualTo("/priority");
    assertThat(preview("{\"maxAttempts\":0}").firstPointer()).isEqualTo("/maxAttempts");
    assertThat(preview("{\"policy\":\"nope\"}").firstPointer()).isEqualTo("/policy");
    assertThat(preview("{\"polcy\":\"default\"}").body()).contains("did you mean policy?");
  }

  @Test
  void many_long_previews_leave_room_for_other_requests() throws Exception {
    String longest =
        "{\"policy\":{\"jitter\":\"full\",\"base\":\"PT1S\",\"cap\":\"PT8S\"},\"maxAttempts\":1000}";
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> previews = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        previews.add(callers.submit(() -> preview(longest)));
      }
      assertThat(api.get("/livez").status()).isEqualTo(200);
      Set<Integer> statuses = new TreeSet<>();
      for (Future<Reply> one : previews) {
        statuses.add(one.get().status());
      }
      assertThat(statuses).containsExactly(200, 503);
    }
  }

  private static Reply preview(String body) {
    return api.post("/v1/policies/preview", body);
  }
}
