package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.HostileTexts;
import dev.ebb.ui.UiServer.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command of a job's page that submits the job again, as a shell reads it. */
class JobCurlTest {
  private static final Pattern COMMAND = Pattern.compile("(?s)<pre id=\"curl\"[^>]*>(.*?)</pre>");

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String submit(String json) {
    Answer answer = server.post("/v1/jobs", json, UiServer.ADMIN);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.field("id");
  }

  private static String commandOf(String id) {
    return command(server.get("/ui/jobs/" + id, UiServer.ADMIN).body());
  }

  /** The command of a page. */
  static String command(String page) {
    Matcher command = COMMAND.matcher(page);
    assertThat(command.find()).isTrue();
    return command.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  /** The arguments that a shell would give to curl. */
  static List<String> arguments(String command) throws Exception {
    String script = "curl() { printf '%s\\0' \"$@\"; }\n" + command + "\n";
    ProcessBuilder builder = new ProcessBuilder("sh", "-s");
    builder.environment().put("EBB_TOKEN", "secret");
    Process shell = builder.start();
    shell.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
    shell.getOutputStream().close();
    String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.errorReader().readAllAsString()).isEmpty();
    assertThat(shell.waitFor()).isZero();
    return List.of(out.split("\0"));
  }

  private static JsonNode again(String id) throws Exception {
    List<String> arguments = arguments(commandOf(id));
    assertThat(arguments).hasSize(9).startsWith("-X", "POST");
    assertThat(arguments.get(2)).startsWith("http://127.0.0.1:").endsWith("/v1/jobs");
    assertThat(arguments.get(4)).isEqualTo("Authorization: Bearer secret");
    return server.get("/v1/jobs/" + submit(arguments.getLast()), UiServer.ADMIN).json();
  }

  static Stream<String> texts() {
    List<String> texts = new ArrayList<>(HostileTexts.all());
    texts.addAll(
        List.of(
            "it's",
            "'",
            "''",
            "\\'",
            "'\\''",
            "'; touch /tmp/EVIL7; '",
            "$(exit 1)`exit 1`$HOME",
            "!!",
            "a\nb\r\n\tc",
            "\u001b[2J\u009b2J\u007f",
            "\u202egnp.\u2066",
            "%s%n",
            "\\u0027",
            "日本語 👩‍👧",
            "EOF\nEOF"));
    return texts.stream();
  }

  @ParameterizedTest
  @MethodSource("texts")
  void a_payload_comes_through_the_shell_as_it_is(String text) throws Exception {
    Map<String, Object> payload = Map.of(text, List.of(text, 1));
    String json =
        JsonMapper.shared().writeValueAsString(Map.of("kind", "report", "payload", payload));

    assertThat(again(submit(json)).get("payload"))
        .isEqualTo(JsonMapper.shared().valueToTree(payload));
  }

  @Test
  void no_sign_in_it_is_one_that_a_reader_cannot_see() {
    String command =
        commandOf(submit("{\"kind\":\"report\",\"payload\":\"a\u202eb\u009bc\u007fd\u2028e\"}"));

    assertThat(command).contains("a\\u202eb\\u009bc\\u007fd\\u2028e");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"wechat\"",
        "{\"jitter\":\"full\",\"base\":\"PT1S\",\"cap\":\"PT1M\",\"deadline\":\"PT2H\"}",
        "{\"jitter\":\"equal\",\"base\":\"PT1S\",\"cap\":\"PT1M\",\"priorityScale\":{\"3\":0.5}}",
        "{\"jitter\":\"decorrelated\",\"base\":\"PT1S\",\"cap\":\"PT1M\"}",
        "{\"jitter\":\"additive\",\"base\":\"PT1S\",\"cap\":\"PT1M\",\"spread\":\"PT2S\"}",
        "{\"jitter\":\"slots\",\"slot\":\"PT0.5S\"}",
        "{\"jitter\":\"list\",\"steps\":[\"PT1S\",\"PT2S\"],\"proportion\":0.25}"
      })
  void the_new_job_is_as_the_old_one_but_for_its_time_and_unique_key(String policy)
      throws Exception {
    String id =
        submit(
            """
            {"kind":"report","queue":"shell","payload":{"n":12345678901234567890.10},"priority":3,
             "delay":"PT1H","maxAttempts":2,"timeout":"PT42S","labels":{"merchant":"o'neil"},
             "uniqueKey":"%s","policy":%s}
            """
                .formatted(policy.hashCode(), policy));

    JsonNode old = server.get("/v1/jobs/" + id, UiServer.ADMIN).json();
    JsonNode again = again(id);

    for (String same :
        List.of("kind", "queue", "priority", "maxAttempts", "policy", "timeout", "labels")) {
      assertThat(again.get(same)).as(same).isEqualTo(old.get(same));
    }
    assertThat(commandOf(id)).contains("12345678901234567890.10");
    assertThat(again.has("uniqueKey")).isFalse();
    assertThat(old.get("phase").asString()).isEqualTo("scheduled");
    assertThat(again.get("phase").asString()).isEqualTo("available");
  }

  @Test
  void it_is_for_those_who_may_read_the_payload_and_says_where_a_secret_is_missing() {
    String id =
        submit(
            """
            {"kind":"http","payload":{"url":"https://m.example/","headers":{"authorization":"x"}}}
            """);
    String viewer = server.token("viewer", Role.VIEWER).text();

    assertThat(server.get("/ui/jobs/" + id, viewer).body()).doesNotContain("as-curl", "curl -X");
    assertThat(server.get("/ui/jobs/" + id, UiServer.ADMIN).body())
        .contains("as-curl", "Replace each ***");
    String plain = submit("{\"kind\":\"report\",\"payload\":1}");
    assertThat(server.get("/ui/jobs/" + plain, UiServer.ADMIN).body())
        .contains("as-curl")
        .doesNotContain("Replace each");
  }

  @Test
  void a_job_that_kept_no_payload_has_none() {
    String id = submit("{\"kind\":\"report\",\"payload\":1}");
    server.post("/v1/jobs/" + id + "/cancel", "{}", UiServer.ADMIN);

    assertThat(server.get("/ui/jobs/" + id, UiServer.ADMIN).body()).doesNotContain("as-curl");
  }
}
