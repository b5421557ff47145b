package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every page. Its list grows with them. */
class PagesTest {
  private static final String UNKNOWN = "/ui/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11";

  private static UiServer server;
  private static String job;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    server.put(
        "/v1/schedules/nightly",
        "{\"cron\":\"30 2 * * *\",\"job\":{\"kind\":\"report\",\"payload\":1}}");
    job = "/ui/jobs/" + server.submit("{\"kind\":\"report\",\"payload\":1}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertIsPage(Answer answer) {
    assertThat(answer.header("Content-Type")).isEqualTo("text/html;charset=utf-8");
    assertThat(answer.header("Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.body())
        .startsWith("<!DOCTYPE html>")
        .doesNotContainPattern("<script(?![^>]* src=)")
        .doesNotContainPattern("<style|(?i)<[^>]*\\sstyle=")
        .doesNotContainPattern("(?i)<[a-z][^<>]*\\son[a-z]+=")
        .doesNotContainPattern("(?i)(src|href|action)=\"\\s*(javascript:|https?:|//)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui",
        "/ui/login",
        "/docs",
        "/ui/jobs",
        "/ui/jobs?columns=labels,node",
        "/ui/nodes",
        "/ui/database",
        "/ui/audit",
        "/ui/queues",
        "/ui/destinations",
        "/ui/settings",
        "/ui/lab",
        "/ui/lab?policy=wechat",
        "/ui/lab?jitter=full&base=soon",
        "/ui/queues/default",
        "/ui/schedules",
        "/ui/schedules/nightly",
        "/ui/schedules/nightly/edit",
        "/ui/new-schedule",
        "/ui/dead",
        "/ui/operations",
        "/ui/operations/new?q=state%3Adead&action=redrive",
        "/ui/jobs?q=state%3Adead",
        "/ui/jobs?q=no%3Asuch%3Aword",
        "JOB"
      })
  void a_page_has_no_inline_script_or_style_and_its_policy_allows_none(String path) {
    Answer answer = server.get(path.equals("JOB") ? job : path);

    assertThat(answer.status()).isEqualTo(200);
    assertIsPage(answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ui/no-such-page", UNKNOWN})
  void a_page_that_is_not_there_is_a_page_too(String path) {
    Answer answer = server.get(path);

    assertThat(answer.status()).isEqualTo(404);
    assertIsPage(answer);
  }

  @Test
  void a_field_that_nobody_filled_in_is_no_parameter() {
    assertThat(server.get("/ui/jobs?q=").status()).isEqualTo(303);
    assertThat(server.get("/ui/jobs?q=").header("Location")).isEqualTo("/ui/jobs");
    assertThat(server.get("/ui/jobs?q=a+b&cursor=").header("Location")).isEqualTo("/ui/jobs?q=a+b");
  }
}
