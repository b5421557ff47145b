package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.HostileTexts;
import dev.ebb.ui.UiServer.Answer;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Url;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** What people and receivers wrote comes out as text on every page. Its pages grow with them. */
class HostileTextTest {
  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static List<String> texts() {
    return HostileTexts.all();
  }

  private static String json(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }

  private static String sql(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String job(String text) {
    String id =
        server.submit(
            json(
                Map.of(
                    "kind",
                    "report",
                    "uniqueKey",
                    text,
                    "labels",
                    Map.of("merchant", text),
                    "payload",
                    Map.of(text, List.of(text)))));
    List<Map<String, String>> headers = List.of(Map.of("name", text, "value", text));
    String both =
        json(Map.of("url", text, "method", text, "status", text, "headers", headers, "body", text));
    attempt(id, 1, text, "{\"request\":" + both + ",\"response\":" + both + "}");
    attempt(id, 2, text, json(Map.of(text, text)));
    server.execute("update ebb.job set attempt = 2 where id = '%s'".formatted(id));
    Answer noted = server.post("/v1/jobs/" + id + "/notes", json(Map.of("note", text)));
    assertThat(noted.status()).as(noted.body()).isEqualTo(204);
    Answer held = server.post("/v1/jobs/" + id + "/hold", json(Map.of("reason", text)));
    assertThat(held.status()).as(held.body()).isEqualTo(200);
    return id;
  }

  private static void schedule(String text) {
    Map<String, Object> job =
        Map.of("kind", "report", "labels", Map.of("merchant", text), "payload", Map.of(text, text));
    String path = "/v1/schedules/hostile";
    server.send(server.request(path).DELETE());
    Answer put = server.put(path, json(Map.of("every", "P300D", "job", job)));
    assertThat(put.status()).as(put.body()).isEqualTo(201);
    server.post(path + "/pause", json(Map.of("reason", text)));
    server.execute(
        """
        insert into ebb.schedule_fire (schedule, fire_at, result, node, error)
        values ('hostile', now(), 'refused', %s, %s)
        """
            .formatted(sql(text), sql(text)));
  }

  private static void attempt(String id, int number, String text, String detail) {
    server.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        values ('%s', now(), now(), %s, 'failed', %s, %s, %s, %s)
        """
            .formatted(id, number, sql(text), sql(text), sql(text), sql(detail)));
  }

  /** No tag and no name of an attribute comes from it. */
  private static void assertIsText(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .contains(HostileTexts.MARK)
        .doesNotContainPattern("<[^<>\"]*" + HostileTexts.MARK)
        .doesNotContainPattern("<(img|svg|style|script)[ >][^<>]*" + HostileTexts.MARK)
        .doesNotContainPattern("(href|src|action)=\"\\s*javascript:");
    // Tags alone: values of attributes go first, as a browser reads them.
    String tags = answer.body().replaceAll("=\"[^\"]*\"|='[^']*'", "=\"\"");
    assertThat(tags).doesNotContainPattern("(?i)<[a-z][^<>]*\\s(on\\w+|style)=");
    assertThat(tags.replaceAll("(?s)>[^<]*<", "><")).doesNotContain(HostileTexts.MARK);
  }

  @ParameterizedTest
  @MethodSource("texts")
  void a_hostile_text_is_text_on_every_page(String text) {
    String id = job(text);
    schedule(text);

    assertIsText(server.get("/ui/schedules"));
    assertIsText(server.get("/ui/schedules/hostile"));
    assertIsText(server.get("/ui/schedules/hostile/edit"));
    assertIsText(server.form("/ui/new-schedule", "name", text, "cron", text, "job.payload", text));
    assertIsText(server.get("/ui/jobs/" + id));
    // What names the job alone would open it.
    String list = Search.token("key", text) + " age<1d";
    assertIsText(server.get(Url.of("/ui/jobs", "q", list)));
    assertIsText(server.get(Url.of("/ui/jobs", "q", text + " age<1d")));
    assertIsText(server.get(Url.of("/ui/jobs", "q", list, "columns", "key,labels,node,error")));
    assertIsText(server.get(Url.of("/ui/lab", "jitter", text, "base", text, "jobs", text)));
    assertIsText(server.get(Url.of("/ui/login", "next", text)));
  }
}
