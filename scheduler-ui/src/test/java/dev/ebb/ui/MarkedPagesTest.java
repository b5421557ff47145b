package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every page, part of a page and file that a page leads to: none shows anything of a payload, or of
 * what an attempt sent and got, to who may not read it.
 */
class MarkedPagesTest {
  private static final String MARK = "m4rk3d";

  /** Of one kind of page, which differ in ids, names and parameters. */
  private static final int OF_A_KIND = 4;

  private static final Pattern ADDRESS =
      Pattern.compile("(?:href|hx-get|action|data-[a-z]+)=\"(/(?:ui|v1)[^\"#{]*)\"");
  private static final Pattern VARIABLE =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|=[^&]*");

  private static final String DELIVERY =
      """
      {"kind": "http", "queue": "q1", "payload": {"url": "https://merchant.example/MARK",
        "headers": {"X-Plain": "MARK"}, "body": {"order": "MARK"}}}
      """
          .replace("MARK", MARK);

  @SuppressWarnings("InlineFormatString") // A statement stands whole.
  private static final String DIE =
      """
      with dying as (delete from ebb.job where id = '%s' returning *)
      insert into ebb.dead_letter (
        id, reason, failure_reason, failure, started_at, node, run_at, created_at, version,
        attempt, max_attempts, priority, queue, kind, payload)
      select
        id, 'max_attempts', 'http_500', 'no', now(), 'n1', run_at, created_at, version,
        1, max_attempts, priority, queue, kind, payload
      from dying
      """;

  private static final String ATTEMPT =
      """
      insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node, detail)
      select id, started_at, now(), 1, 'failed', 'n1',
        '{"request": {"method": "POST", "url": "https://m.example/MARK",
          "headers": [{"name": "X-Plain", "value": "MARK"}], "body": "MARK"},
          "response": {"status": 500, "headers": [{"name": "X-Plain", "value": "MARK"}],
          "body": "MARK"}}'
      from ebb.dead_letter
      """
          .replace("MARK", MARK);

  private static UiServer server;
  private static String live;
  private static String dead;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
    live = change("POST", "/v1/jobs", DELIVERY).field("id");
    dead = change("POST", "/v1/jobs", DELIVERY).field("id");
    server.execute(DIE.formatted(dead));
    server.execute(ATTEMPT);
    String schedule = "{\"every\": \"P1D\", \"job\": " + DELIVERY + "}";
    assertThat(change("PUT", "/v1/schedules/s1", schedule).status()).isEqualTo(201);
    change("POST", "/v1/operations", "{\"action\":\"hold\",\"ids\":[\"" + live + "\"]}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer change(String method, String path, String json) {
    return server.send(
        server
            .request(path)
            .header("Authorization", "Bearer " + UiServer.ADMIN)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json)));
  }

  /** All that can be reached by links, forms and scripts, with what it answers. */
  private static Map<String, String> all(String token) {
    Map<String, String> seen = new LinkedHashMap<>();
    Map<String, Integer> kinds = new LinkedHashMap<>();
    ArrayDeque<String> open =
        new ArrayDeque<>(
            List.of(
                "/ui",
                "/ui/jobs/" + live,
                "/ui/jobs/" + dead,
                "/ui/jobs?columns=labels,node,key,error",
                "/ui/schedules/s1/edit",
                "/ui/dead",
                "/ui/lab",
                "/ui/suggestions?q=k"));
    while (!open.isEmpty()) {
      String path = open.poll();
      String kind = VARIABLE.matcher(path).replaceAll("*");
      if (!seen.containsKey(path) && kinds.merge(kind, 1, Integer::sum) <= OF_A_KIND) {
        String body = server.get(path, token).body();
        seen.put(path, body);
        ADDRESS.matcher(body).results().map(MarkedPagesTest::address).forEach(open::add);
      }
    }
    return seen;
  }

  private static String address(MatchResult found) {
    return found.group(1).replace("&amp;", "&");
  }

  private static Set<String> marked(Map<String, String> pages) {
    Set<String> marked = new TreeSet<>();
    pages.forEach((path, body) -> {
      if (body.contains(MARK)) {
        marked.add(path);
      }
    });
    return marked;
  }

  @Test
  void no_page_shows_a_payload_to_who_may_not_read_it() {
    Map<String, String> pages = all(server.token("viewer", Role.VIEWER).text());

    assertThat(marked(pages)).isEmpty();
    assertThat(pages).hasSizeGreaterThan(30).containsKey("/ui/schedules/s1");
  }

  @Test
  void the_same_pages_show_payloads_to_who_may_read_them() {
    assertThat(marked(all(server.token("operator", Role.OPERATOR).text())))
        .contains("/ui/jobs/" + live, "/ui/jobs/" + dead, "/ui/schedules/s1");
    assertThat(server.get("/ui/schedules/s1/edit", UiServer.ADMIN).body()).contains(MARK);
  }
}
