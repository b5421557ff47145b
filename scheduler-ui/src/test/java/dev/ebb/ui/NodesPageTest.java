package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages of nodes and of the audit over the real API. */
class NodesPageTest {
  private static UiServer server;
  private static String operator;
  private static String viewer;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
    operator = server.token("olga", Role.OPERATOR).text();
    viewer = server.token("vera", Role.VIEWER).text();
    node("one", "same", 0);
    node("two", "same", 0);
    node("three", "other", 2_500_000);
  }

  private static void node(String name, String hash, long skewMicros) {
    server.execute(
        """
        insert into ebb.node (
          name, version, settings_hash, queues, kinds, concurrency, in_flight, skew_micros)
        values ('%s', '1', '%s', '{}', '{http}', 50, 7, %s)
        """
            .formatted(name, hash, skewMicros));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String page(String path, String token) {
    Answer answer = server.get(path, token);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void other_settings_and_a_wrong_clock_are_marked() {
    String page = page("/ui/nodes", viewer);

    assertThat(page)
        .contains("have 2 different settings")
        .contains("7 of 50")
        .containsOnlyOnce("differs</span>")
        .contains("<span class=\"state dead_letter\">2.5 s</span>");
  }

  @Test
  void a_node_that_lacks_keys_of_secrets_says_which() {
    assertThat(page("/ui/nodes", viewer)).doesNotContain("lacks key");
    server.execute("update ebb.node set missing_keys = '{4f1c09ab}' where name = 'one'");
    server.execute("update ebb.node set missing_keys = '{4f1c09ab,77aa01cd}' where name = 'two'");

    assertThat(page("/ui/nodes", viewer))
        .containsOnlyOnce("lacks key 4f1c09ab</span>")
        .containsOnlyOnce("lacks keys 4f1c09ab, 77aa01cd</span>");
    server.execute("update ebb.node set missing_keys = null");
  }

  @Test
  void only_who_may_operate_is_offered_a_drain_which_the_audit_then_shows() {
    assertThat(page("/ui/nodes", viewer)).doesNotContain("data-api=\"POST /v1/nodes/");
    assertThat(page("/ui/nodes", operator)).contains("data-api=\"POST /v1/nodes/one/drain\"");

    String reason = "{\"reason\":\"<b>new kernel</b>\"}";
    assertThat(server.post("/v1/nodes/one/drain", reason, operator).status()).isEqualTo(200);

    assertThat(page("/ui/nodes", operator)).contains("data-api=\"POST /v1/nodes/one/undrain\"");
    assertThat(page("/ui/audit?action=node", UiServer.ADMIN))
        .contains("olga", "node.drain", "&lt;b&gt;new kernel&lt;/b&gt;");
    assertThat(page("/ui/audit?actor=nobody", UiServer.ADMIN)).contains("No entries match");
  }

  @Test
  void an_audit_that_may_not_be_seen_or_asked_for_so_is_refused_by_a_page() {
    assertThat(server.get("/ui/audit", viewer).status()).isEqualTo(403);
    assertThat(page("/ui/nodes", viewer)).doesNotContain("/ui/audit");
    assertThat(page("/ui/audit?from=yesterday", UiServer.ADMIN)).contains("must be an instant");
  }
}
