package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.ebb.db.Proof;
import dev.ebb.demo.browser.Contract.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Somebody who may only look is neither offered a change nor gets one by force. */
@Proof
class ViewerTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private static final Set<String> MAY = Set.of("jobs:read");

  /** Asks as actions.js does; the answer is its status and its body. */
  private static final String FORGE =
      """
      async ([method, path]) => {
        const proof = document.querySelector('meta[name="ebb-page"]').content;
        const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
        const answer = await fetch(path, {
          method, headers: { "Ebb-Page": proof, "Content-Type": type }, body: "{}" });
        return answer.status + " " + (await answer.text());
      }
      """;

  private static Cluster cluster;
  private static String viewer;
  private static Contract contract;
  private static Map<String, String> pages;
  private static Map<String, String> ids;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    String job = Quiet.fill(cluster);
    viewer = cluster.token("viewer", "viewer");
    contract = new Contract(cluster.get("/v1/openapi.json"));
    pages = Pages.all(cluster, job, Quiet.QUEUE);
    JsonNode token = cluster.get("/v1/tokens").path("items").path(0);
    ids =
        Map.of(
            "/v1/jobs/{id}", "/v1/jobs/" + job,
            "/v1/operations/{id}",
                below(Objects.requireNonNull(pages.get("operation")), "/v1/operations/"),
            "/v1/dead-letters/groups/{id}",
                below(Objects.requireNonNull(pages.get("dead-group")), "/v1/dead-letters/groups/"),
            "/v1/queues/{queue}", "/v1/queues/" + Quiet.QUEUE,
            "/v1/destinations/{destination}", "/v1/destinations/" + Quiet.DESTINATION,
            "/v1/policies/{policy}", "/v1/policies/slow",
            "/v1/kinds/{kind}", "/v1/kinds/http",
            "/v1/schedules/{schedule}", "/v1/schedules/" + Quiet.SCHEDULE,
            "/v1/tokens/{id}", "/v1/tokens/" + token.path("id").asString(),
            "/v1/nodes/{id}",
                "/v1/nodes/"
                    + cluster.get("/v1/nodes").path("items").path(0).path("id").asString());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String below(String page, String path) {
    return path + page.substring(page.lastIndexOf('/') + 1);
  }

  /** What the forms of a page ask for. */
  @SuppressWarnings("unchecked")
  private static List<String> offered(Page page) {
    return (List<String>)
        page.locator("[data-api]").evaluateAll("all => all.map(one => one.dataset.api)");
  }

  private static String path(Action action) {
    String path = action.path().replace("{key}", "key_0").replace("{link}", "l");
    for (Map.Entry<String, String> id : ids.entrySet()) {
      path = path.replace(id.getKey(), id.getValue());
    }
    assertThat(path).as("a path with an id for each name").doesNotContain("{");
    return path;
  }

  @Test
  void no_page_offers_what_the_token_may_not_do() {
    CHROMIUM.expect("status of 403 .*/ui/audit|status of 4(00|22) .*nonsense");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, viewer);
    for (Map.Entry<String, String> one : pages.entrySet()) {
      page.navigate(one.getValue());
      for (String api : offered(page)) {
        assertThat(MAY).as(one.getKey() + " " + api).containsAll(contract.of(api).scopes());
      }
      String leading =
          "main a[href*='/operations/new'], main a[href*='new-schedule'], main a[href$='/edit'],"
              + " [data-dialog]:not(:has(~ dialog))";
      assertThat(page.locator(leading).count()).as(one.getKey()).isZero();
    }
  }

  @Test
  void an_admin_is_offered_it() {
    CHROMIUM.expect("status of 4(00|22) .*nonsense");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, Cluster.ADMIN);
    Set<String> offered = new TreeSet<>();
    for (String path : pages.values()) {
      page.navigate(path);
      offered(page)
          .forEach(api -> {
            Action action = contract.of(api);
            offered.add(action.method() + " " + action.path());
          });
    }

    assertThat(offered)
        .contains(
            "POST /v1/jobs/{id}/retry",
            "POST /v1/jobs/{id}/hold",
            "POST /v1/jobs/{id}/cancel",
            "POST /v1/jobs/{id}/clone",
            "POST /v1/jobs/{id}/redrive",
            "DELETE /v1/jobs/{id}/payload",
            "POST /v1/jobs/{id}/links",
            "POST /v1/operations",
            "PATCH /v1/dead-letters/groups/{id}",
            "PUT /v1/queues/{queue}",
            "PUT /v1/destinations/{destination}",
            "PATCH /v1/destinations/{destination}",
            "DELETE /v1/destinations/{destination}",
            "POST /v1/destinations/{destination}/keys",
            "POST /v1/destinations/{destination}/recover",
            "POST /v1/queues/{queue}/pause",
            "POST /v1/queues/{queue}/purge",
            "POST /v1/queues/{queue}/warm-up",
            "PUT /v1/schedules/{schedule}",
            "DELETE /v1/schedules/{schedule}",
            "POST /v1/schedules/{schedule}/run",
            "POST /v1/schedules/{schedule}/pause",
            "POST /v1/nodes/{id}/drain");
  }

  @Test
  void a_forged_request_from_the_session_is_refused_and_changes_nothing() {
    CHROMIUM.expect("console error: .*status of 403");
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, viewer);
    List<Action> forbidden = contract.beyond(MAY);
    String before = Quiet.stored(cluster);
    List<String> wrong = new ArrayList<>();
    for (Action action : forbidden) {
      String answer = (String) page.evaluate(FORGE, List.of(action.method(), path(action)));
      if (!answer.startsWith("403 ") || !answer.contains("\"missing_scope\"")) {
        wrong.add(action + ": " + answer);
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(forbidden.size()).isGreaterThan(20);
    assertThat(Quiet.stored(cluster)).isEqualTo(before);
  }

  @Test
  void the_same_request_of_an_operator_is_served() {
    Page page = CHROMIUM.signIn(cluster, Look.LIGHT, cluster.token("operator", "operator"));
    String before = Quiet.stored(cluster);

    Object pause = page.evaluate(FORGE, List.of("POST", "/v1/queues/" + Quiet.QUEUE + "/pause"));
    assertThat((String) pause).startsWith("200 ");

    assertThat(Quiet.stored(cluster)).isNotEqualTo(before);
  }
}
