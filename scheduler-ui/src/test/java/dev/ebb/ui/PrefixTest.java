package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dashboard behind a proxy that serves it below a path, which it takes away. */
class PrefixTest {
  private static final String HEADER = "X-Forwarded-Prefix";
  private static final String PREFIX = "/ops/ebb-1";

  /** What leads a browser, or a script of ours, to this server. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "\\s(?:href|src|action|hx-get|hx-post|data-next|data-root|data-jobs)=\"(/[^\"]*)\"");

  /** Pages whose addresses differ in an id alone are alike. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    for (String queue : List.of("payments", "refunds")) {
      server.submit("{\"kind\":\"report\",\"payload\":1,\"queue\":\"%s\"}".formatted(queue));
    }
    Dead dead = new Dead(server);
    dead.die("payments", "Read timed out", 2, "2 h");
    dead.group();
    server.put(
        "/v1/schedules/nightly",
        """
        {"cron":"30 2 * * *","job":{"kind":"report","payload":1,"queue":"payments"}}
        """);
    server.post("/v1/operations", "{\"action\":\"hold\",\"filter\":{\"q\":\"queue:none\"}}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer get(String path, String prefix) {
    return server.send(server.request(path).header(HEADER, prefix).GET());
  }

  private static List<String> addresses(String html) {
    return ADDRESS
        .matcher(html)
        .results()
        .map(found -> found.group(1).replace("&amp;", "&"))
        .toList();
  }

  /** As a browser sees it: each address as it stands on a page, until there are no new ones. */
  @Test
  void every_address_of_every_page_is_below_the_path_and_leads_somewhere() {
    Queue<String> due = new ArrayDeque<>(List.of(PREFIX + "/ui"));
    Set<String> seen = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    while (!due.isEmpty()) {
      String address = due.remove();
      Answer answer = get(address.substring(PREFIX.length()), PREFIX);
      if (answer.status() >= 400) {
        wrong.add(address + " is answered with " + answer.status());
      }
      for (String found : addresses(answer.body())) {
        if (!found.startsWith(PREFIX + "/")) {
          wrong.add(found + " on " + address);
        } else if (isPage(found) && seen.add(alike(found))) {
          due.add(found);
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(seen)
        .contains(
            PREFIX + "/docs",
            PREFIX + "/v1/openapi.json",
            PREFIX + "/ui/jobs",
            PREFIX + "/ui/dead",
            PREFIX + "/ui/queues/payments",
            PREFIX + "/ui/jobs/ID",
            PREFIX + "/ui/schedules/nightly")
        .hasSizeGreaterThan(30);
  }

  /** What a form fills in, or posts, is no page to be got. */
  private static boolean isPage(String address) {
    return !address.contains("{")
        && !address.endsWith("/")
        && !address.endsWith("/preview")
        && !address.endsWith("/schedule-preview");
  }

  private static String alike(String address) {
    return ID.matcher(address.replaceFirst("\\?.*", "")).replaceAll("ID");
  }

  @Test
  void what_is_no_path_is_left_out_of_every_page() {
    for (String bad :
        List.of(
            "//evil.example", "/a\"onload=", "https://evil.example", "/a/../b c", "javascript:")) {
      assertThat(addresses(get("/ui", bad).body())).as(bad).contains("/ui/jobs");
      assertThat(get("/ui", bad).body()).doesNotContain("evil.example", "onload=", "javascript:");
    }
  }

  @Test
  void who_has_no_session_is_led_to_the_sign_in_below_the_path_and_back() {
    try (UiServer closed = UiServer.closed()) {
      Answer refused = closed.send(closed.request("/ui/jobs").header(HEADER, PREFIX).GET());
      String signIn = refused.header("Location");
      assertThat(signIn).startsWith(PREFIX + "/ui/login?next=");

      String path = signIn.substring(PREFIX.length());
      Answer form = closed.send(closed.request(path).header(HEADER, PREFIX).GET());
      assertThat(addresses(form.body()))
          .contains(PREFIX + "/ui/login")
          .allMatch(address -> address.startsWith(PREFIX + "/"));
    }
  }
}
