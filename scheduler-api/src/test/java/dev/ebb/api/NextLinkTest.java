package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The header Link of lists. */
class NextLinkTest {
  private static final String JOB =
      "{\"kind\":\"report\",\"payload\":1,\"labels\":{\"a\":\"x y&=>é\"}}";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static String next(Reply page) {
    String link = page.header("link");
    assertThat(link).endsWith(">; rel=\"next\"").startsWith("<");
    return link.substring(1, link.indexOf('>'));
  }

  @Test
  void the_links_lead_through_the_whole_list_with_the_same_filter() {
    for (int i = 0; i < 3; i++) {
      api.post("/v1/jobs", JOB);
      api.post("/v1/jobs", JOB.replace("report", "other"));
    }
    String path = "/v1/jobs?label=a:x+y%26%3D%3E%C3%A9&limit=1&kind=report&kind=none";
    List<String> ids = new ArrayList<>();
    for (Reply page = api.get(path); ; page = api.get(path)) {
      assertThat(page.status()).as(page.body()).isEqualTo(200);
      page.json().path("items").forEach(item -> ids.add(item.path("id").asString()));
      if (!page.json().has("nextCursor")) {
        assertThat(page.header("link")).isEmpty();
        break;
      }
      path = URI.create("http://proxy.example/v1/jobs?x=1").resolve(next(page)).toString();
      assertThat(path).contains("&cursor=" + page.field("nextCursor"));
      path = path.substring("http://proxy.example".length());
    }

    assertThat(ids).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void behind_a_prefix_the_link_leads_below_it() {
    api.post("/v1/jobs", JOB);
    api.post("/v1/jobs", JOB);
    URI page = URI.create("https://example.org/ebb/v1/jobs?limit=1");

    URI next = page.resolve(next(api.get("/v1/jobs?limit=1")));

    assertThat(next.getPath()).isEqualTo("/ebb/v1/jobs");
    assertThat(next.getHost()).isEqualTo("example.org");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/jobs/%s/audit",
        "/v1/audit",
        "/v1/operations",
        "/v1/queues",
        "/v1/jobs",
        "/v1/schedules",
        "/v1/schedules/s1/fires"
      })
  void a_page_with_a_next_cursor_links_to_the_page_of_that_cursor(String list) {
    String id = api.post("/v1/jobs", JOB).field("id");
    api.post("/v1/jobs", JOB);
    api.post("/v1/jobs/" + id + "/retry");
    api.post("/v1/jobs/" + id + "/retry");
    for (String queue : List.of("a", "b")) {
      api.post("/v1/queues/" + queue + "/pause");
      api.post(
          "/v1/operations",
          "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"%s\"]}}".formatted(queue));
    }
    for (String schedule : List.of("s1", "s2")) {
      api.put("/v1/schedules/" + schedule, "{\"every\":\"PT1H\",\"job\":" + JOB + "}");
      api.post("/v1/schedules/s1/run");
    }
    String path = list.formatted(id);

    Reply page = api.get(path + "?limit=1");

    String last = path.substring(path.lastIndexOf('/') + 1);
    assertThat(next(page)).isEqualTo(last + "?limit=1&cursor=" + page.field("nextCursor"));
    Reply second = api.get(path.substring(0, path.lastIndexOf('/') + 1) + next(page));
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.json().at("/items/0")).isNotEqualTo(page.json().at("/items/0"));
  }

  @Test
  void the_contract_names_the_link_of_every_list_with_cursors() {
    JsonNode contract = api.get("/v1/openapi.json").json();

    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      JsonNode page = path.getValue().at("/get/responses/200");
      String schema = page.at("/content/application~1json/schema/$ref").asString("");
      JsonNode of = contract.at(schema.isEmpty() ? "/none" : schema.substring(1));
      boolean isPaged = of.at("/properties/nextCursor").isObject();
      assertThat(page.at("/headers/Link").isObject()).as(path.getKey()).isEqualTo(isPaged);
    }
  }
}
