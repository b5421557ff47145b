package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The API's reference, compared with the contract that it shows. */
class DocsPageTest {
  private static final int MOST_BYTES = 176 * 1024;
  private static final Pattern FILE =
      Pattern.compile("<(?:link|script|img)\\b[^>]*\\s(?:href|src)=\"([^\"]+)\"");
  private static final Pattern IMPORT = Pattern.compile("import [^;]* from \"\\./([^\"]+)\"");

  private static UiServer server;
  private static String page;
  private static List<String> parts;
  private static JsonNode contract;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
    page = server.get("/docs").body();
    parts = List.of(page.split("(?=<details class=\"operation\")"));
    contract = server.get("/v1/openapi.json").json();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String text(String html) {
    return html.replaceAll("(?s)<[^>]*>", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  /** What folds open at the link to that id. */
  private static String part(String id) {
    return parts.stream()
        .filter(one -> one.contains(" id=\"" + id + "\""))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing has the id " + id));
  }

  private static JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : resolved(contract.at(reference.substring(1)));
  }

  private static String plain(JsonNode described) {
    return described.path("description").asString("").replaceAll("`|\n- |^- |\n", "");
  }

  @Test
  void every_operation_of_the_contract_is_there_with_all_that_it_takes_and_answers() {
    int seen = 0;
    for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        JsonNode operation = verb.getValue();
        String shown = text(part("operation-" + operation.path("operationId").asString()));
        assertThat(shown.replace("\n", ""))
            .contains(verb.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey())
            .contains(operation.path("summary").asString(), plain(operation), "curl")
            .contains(needed(operation));
        if (resolved(operation.path("requestBody")).path("required").asBoolean(false)) {
          assertThat(shown).contains(" -d '");
        }
        seen++;
      }
    }
    assertThat(seen).isGreaterThan(80);
  }

  /** What a reader has to find of an operation. */
  private static List<String> needed(JsonNode operation) {
    List<String> needed = new ArrayList<>();
    operation.at("/security/0/token").valueStream().forEach(scope -> needed.add(scope.asString()));
    for (JsonNode each : operation.path("parameters")) {
      needed.add(resolved(each).path("name").asString());
      needed.add(plain(resolved(each)));
    }
    for (Map.Entry<String, JsonNode> each : operation.path("responses").properties()) {
      JsonNode response = resolved(each.getValue());
      needed.add(each.getKey());
      needed.add(plain(response));
      needed.addAll(response.path("headers").propertyNames());
    }
    JsonNode body = resolved(operation.path("requestBody"));
    for (JsonNode content : body.path("content")) {
      needed.addAll(resolved(content.path("schema")).path("properties").propertyNames());
      content.path("examples").forEach(one -> needed.add(one.path("summary").asString()));
    }
    return needed;
  }

  @Test
  void every_schema_and_every_shared_answer_of_the_contract_is_there() {
    JsonNode components = contract.path("components");
    for (Map.Entry<String, JsonNode> schema : components.path("schemas").properties()) {
      String shown = text(part("schema-" + schema.getKey())).replace("\n", "");
      assertThat(shown).contains(plain(schema.getValue()));
      for (Map.Entry<String, JsonNode> member : schema.getValue().path("properties").properties()) {
        assertThat(shown).contains(member.getKey()).contains(plain(member.getValue()));
      }
    }
    for (String name : components.path("responses").propertyNames()) {
      assertThat(text(part("response-" + name)))
          .contains(plain(components.path("responses").path(name)));
    }
    assertThat(components.path("schemas").size()).isGreaterThan(100);
  }

  @Test
  void a_field_has_its_type_its_limits_and_its_description() {
    assertThat(text(part("schema-NewJob")).replaceAll("\\s+", " "))
        .contains("kind Kind required")
        .contains("priority integer Smaller runs first. 0 to 9default 5")
        .contains("runAt Instant ")
        .contains("onDuplicate string ", "one of return, reject");
    assertThat(text(part("schema-JobPatch")).replaceAll("\\s+", " "))
        .contains("timeout IsoDuration or null")
        .contains("labels map of string or null or null");
    assertThat(text(part("schema-Queue"))).contains("pause.until");
  }

  @Test
  void every_link_within_the_page_has_its_one_target() {
    List<String> ids = found(page, "\\sid=\"([^\"]+)\"");
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(found(page, "\\shref=\"#([^\"]*)\"")))
        .hasSizeGreaterThan(150)
        .isSubsetOf(ids);
    assertThat(found(page, "\\sdata-copy=\"([^\"]+)\"")).hasSizeGreaterThan(80).isSubsetOf(ids);
  }

  private static List<String> found(String html, String pattern) {
    return Pattern.compile(pattern).matcher(html).results().map(one -> one.group(1)).toList();
  }

  @Test
  void headings_go_down_by_one_level_at_a_time() {
    List<Integer> levels = found(page, "<h([1-6])").stream().map(Integer::valueOf).toList();

    assertThat(levels).startsWith(1, 2);
    assertThat(levels.stream().filter(level -> level == 1)).hasSize(1);
    for (int i = 1; i < levels.size(); i++) {
      assertThat(levels.get(i)).as("heading %s", i).isLessThanOrEqualTo(levels.get(i - 1) + 1);
    }
  }

  @Test
  void the_page_and_its_files_are_less_than_176_kib_on_the_wire() throws Exception {
    Set<String> seen = new TreeSet<>();
    Queue<String> due =
        new ArrayDeque<>(FILE.matcher(page).results().map(DocsPageTest::first).toList());
    int bytes = transferred("/docs");
    while (!due.isEmpty()) {
      String file = due.remove();
      if (seen.add(file)) {
        bytes += transferred(file);
        IMPORT
            .matcher(server.get(file).body())
            .results()
            .forEach(one -> due.add(file.replaceFirst("[^/]*$", "") + one.group(1)));
      }
    }

    assertThat(seen)
        .contains("/ui/files/docs.js", "/ui/files/theme-button.js", "/ui/files/ebb.css");
    assertThat(bytes).isLessThan(MOST_BYTES);
  }

  private static String first(MatchResult found) {
    return found.group(1);
  }

  private static int transferred(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = server.request(path).header("Accept-Encoding", "gzip").build();
      var answer = client.send(request, BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      return answer.body().length;
    }
  }

  @Test
  void it_needs_no_token_and_leads_to_the_contract_and_the_dashboard() {
    Answer answer = server.get("/docs");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .contains("href=\"/v1/openapi.json\"", "href=\"/ui\"")
        .doesNotContain("aria-label=\"Pages\"");
    assertThat(server.get("/docs/none").status()).isEqualTo(401);
    assertThat(server.get("/docs?x=1").status()).isEqualTo(400);
  }

  @Test
  void who_is_signed_in_goes_on_from_there_to_every_page_and_back() {
    String viewer = server.token("viewer", Role.VIEWER).text();

    assertThat(server.get("/docs", viewer).body())
        .contains("aria-label=\"Pages\"")
        .containsPattern("href=\"/docs\"[^>]* aria-current=\"page\"");
    assertThat(server.get("/ui", viewer).body()).contains("href=\"/docs\"");
    assertThat(server.get("/ui/login").body()).contains("href=\"/docs\"");
  }

  @Test
  void a_command_asks_this_server_with_a_token_where_one_is_needed() {
    assertThat(text(part("operation-submitJob")))
        .contains("curl -X POST 'http://127.0.0.1:" + server.port() + "/v1/jobs'")
        .contains("-H \"Authorization: Bearer $EBB_TOKEN\"")
        .contains("-H 'Content-Type: application/json' -d '{\"kind\":\"http\",")
        .contains("\"amount\":12345678901234567890.10}");
    assertThat(text(part("operation-patchJob")))
        .contains("/v1/jobs/ID'", "'Content-Type: application/merge-patch+json'");
    assertThat(text(part("operation-purgeQueue"))).contains("/v1/queues/QUEUE/purge'");
    assertThat(text(part("operation-streamEvents"))).contains("curl -N 'http");
    assertThat(text(part("operation-live"))).doesNotContain("EBB_TOKEN");
    try (UiServer open = UiServer.open()) {
      assertThat(open.get("/docs").body()).contains("curl -X POST").doesNotContain("Bearer $");
    }
  }

  @Test
  void its_files_are_known_by_what_they_hold() {
    Answer file = server.get("/ui/files/docs.js");

    assertThat(file.header("cache-control")).isEqualTo("no-cache");
    assertThat(file.header("last-modified")).isEmpty();
    assertThat(asked(file.header("etag"))).isEqualTo(304);
    assertThat(asked("\"another build's\"")).isEqualTo(200);
  }

  private static int asked(String tag) {
    return server.send(server.request("/ui/files/docs.js").header("If-None-Match", tag)).status();
  }
}
