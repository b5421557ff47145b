package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.Await;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The banner of a start that is paused. */
class PausedStartTest {
  private static final List<String> PAGES =
      List.of(
          "/ui",
          "/ui/jobs",
          "/ui/queues",
          "/ui/schedules",
          "/ui/dead",
          "/ui/operations",
          "/ui/nodes",
          "/ui/database",
          "/ui/audit",
          "/ui/lab",
          "/ui/settings");

  private static final String BANNER = "<strong>The start is paused.</strong>";
  private static final String BUTTON = "data-api=\"POST /v1/start/resume\"";

  private UiServer server;

  @BeforeEach
  void start() {
    server = UiServer.closed();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String page(String path, String token) {
    return server.get(path, token).body();
  }

  @Test
  void every_page_says_so_with_a_button_for_who_may_and_no_more_once_it_is_resumed()
      throws Exception {
    String viewer = server.token("vera", Role.VIEWER).text();
    assertThat(page("/ui", UiServer.ADMIN)).doesNotContain(BANNER);
    server.execute("insert into ebb.start (paused_since, paused_by) values (now(), 'a')");
    Await.until("the node knows", () -> page("/ui", UiServer.ADMIN).contains(BANNER));

    for (String path : PAGES) {
      assertThat(page(path, UiServer.ADMIN)).as(path).containsOnlyOnce(BANNER).contains(BUTTON);
    }
    assertThat(page("/ui/jobs", viewer)).contains(BANNER).doesNotContain(BUTTON);

    assertThat(server.post("/v1/start/resume", "{}", UiServer.ADMIN).status()).isEqualTo(200);
    assertThat(page("/ui", UiServer.ADMIN)).doesNotContain(BANNER);
  }
}
