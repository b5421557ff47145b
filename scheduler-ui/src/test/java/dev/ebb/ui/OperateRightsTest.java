package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.OrderedJobs;
import dev.ebb.ui.UiServer.Answer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Those who may look see everything but what changes something. */
class OperateRightsTest {
  private static UiServer server;
  private static String viewer;
  private static String operator;
  private static List<String> pages;

  @BeforeAll
  static void start() throws SQLException {
    server = UiServer.closed();
    viewer = server.token("viewer", Role.VIEWER).text();
    operator = server.token("operator", Role.OPERATOR).text();
    Dead dead = new Dead(server);
    dead.die("q", "no", 2, "1 min");
    dead.attempted(
        "{\"request\":{\"method\":\"POST\",\"url\":\"https://secret.example\",\"body\":\"4111\"}}");
    dead.group();
    var _ = OrderedJobs.block(server.database(), "refunds", "order-4711", 2);
    String group =
        server.get("/v1/dead-letters/groups", operator).json().at("/items/0/id").asString();
    String operation =
        server
            .post("/v1/operations", "{\"action\":\"redrive\",\"filter\":{\"q\":\"no\"}}", operator)
            .field("id");
    pages =
        List.of(
            "/ui/dead",
            "/ui/dead/" + group,
            "/ui/queues/refunds",
            "/ui/jobs?q=group%3A" + group,
            "/ui/operations",
            "/ui/operations/" + operation,
            "/ui/operations/new?q=state%3Adead");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void a_viewer_sees_no_button_that_changes_something() {
    for (String path : pages) {
      Answer answer = server.get(path, viewer);
      assertThat(answer.status()).as(path).isEqualTo(200);
      assertThat(answer.body())
          .as(path)
          .doesNotContain("data-api", "data-dialog", "<dialog", "href=\"/ui/operations/new");
    }
  }

  @Test
  void an_operator_sees_them() {
    for (String path : pages.subList(1, pages.size())) {
      assertThat(server.get(path, operator).body())
          .as(path)
          .containsPattern("data-api|href=\"/ui/operations/new");
    }
  }

  @Test
  void a_viewer_sees_that_there_was_a_request_but_not_where_it_went() {
    assertThat(server.get(pages.get(1), viewer).body())
        .contains("POST ***")
        .doesNotContain("secret.example", "4111");
    assertThat(server.get(pages.get(1), operator).body()).contains("POST https://secret.example");
  }
}
