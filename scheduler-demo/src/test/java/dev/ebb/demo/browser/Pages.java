package dev.ebb.demo.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.LoadState;
import dev.ebb.ui.words.Url;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The pages of the dashboard, by the names of their screenshots: each test visits all of them. */
final class Pages {
  /** Nothing is asked for any more, neither a part nor the preview of an operation. */
  private static final String IS_WHOLE =
      """
      () => !document.querySelector(".htmx-request")
        && document.getElementById("go")?.textContent !== "Loading…"
      """;

  private Pages() {}

  /** Opens one, and waits for the parts that come when it is there. */
  static void open(Page page, String address) {
    page.navigate(address);
    page.waitForLoadState(LoadState.LOAD);
    page.waitForFunction(IS_WHOLE);
  }

  /** Those of a server that has nothing to show yet. */
  static Map<String, String> lists() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "/ui");
    pages.put("jobs", "/ui/jobs");
    pages.put("queues", "/ui/queues");
    pages.put("destinations", "/ui/destinations");
    pages.put("schedules", "/ui/schedules");
    pages.put("dead-letters", "/ui/dead");
    pages.put("operations", "/ui/operations");
    pages.put("new-operation", "/ui/operations/new?q=state%3Adead");
    pages.put("nodes", "/ui/nodes");
    pages.put("audit", "/ui/audit");
    return pages;
  }

  /**
   * All of them, of a server that has at least one of everything.
   *
   * @param job of its page
   * @param queue of its page
   */
  static Map<String, String> all(Cluster cluster, String job, String queue) {
    String dead = id(cluster.get("/v1/jobs?q=state%3Adead&limit=1"));
    String group = id(cluster.get("/v1/dead-letters/groups?limit=1"));
    String schedule = "/ui/schedules/" + name(cluster.get("/v1/schedules?limit=1"));
    Map<String, String> pages = lists();
    pages.put("job", "/ui/jobs/" + job);
    pages.put("dead-job", "/ui/jobs/" + dead);
    pages.put("queue", "/ui/queues/" + Url.segment(queue));
    JsonNode destinations = cluster.get("/v1/destinations?sort=worst&limit=1");
    if (!destinations.path("items").isEmpty()) {
      String destination = "/ui/destinations/" + name(destinations);
      pages.put("destination", destination);
      pages.put("destination-attempts", destination + "#attempts");
    }
    pages.put("schedule", schedule);
    pages.put("edit-schedule", schedule + "/edit");
    pages.put("new-schedule", "/ui/new-schedule");
    pages.put("dead-group", "/ui/dead/" + group);
    pages.put("dead-by-error", "/ui/dead?by=error");
    pages.put("dead-by-subject", "/ui/dead?by=subject");
    pages.put("dead-by-destination", "/ui/dead?by=destination");
    pages.put("new-operation", "/ui/operations/new?action=redrive&q=group%3A" + group);
    pages.put("operation", "/ui/operations/" + id(cluster.get("/v1/operations?limit=1")));
    pages.put("search", "/ui/jobs?q=state%3Aretrying+queue%3A" + Url.segment(queue));
    pages.put("refused-search", "/ui/jobs?q=nonsense%3Ax");
    pages.put("lab", "/ui/lab");
    pages.put("database", "/ui/database");
    pages.put("settings", "/ui/settings");
    pages.put("sign-in", "/ui/login");
    pages.put("api", "/docs");
    return pages;
  }

  private static String id(JsonNode list) {
    return first(list, "id");
  }

  private static String name(JsonNode list) {
    return first(list, "name");
  }

  private static String first(JsonNode list, String field) {
    String value = list.path("items").path(0).path(field).asString("");
    if (value.isEmpty()) {
      throw new IllegalStateException("there is none: " + list);
    }
    return value;
  }
}
