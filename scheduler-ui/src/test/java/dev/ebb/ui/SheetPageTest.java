package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists as files. */
class SheetPageTest {
  private static final int MANY = 450;

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    server.submit(
        "{\"kind\":\"report\",\"queue\":\"other\",\"payload\":1,\"uniqueKey\":\"=cmd()\"}");
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      jobs.add("{\"kind\":\"report\",\"queue\":\"many\",\"payload\":" + i + "}");
    }
    Answer stored = server.post("/v1/jobs/batch", "{\"jobs\":[" + String.join(",", jobs) + "]}");
    assertThat(stored.status()).as(stored.body()).isBetween(200, 299);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> ids(JsonNode items) {
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.get("id").asString())
        .toList();
  }

  @Test
  void a_file_has_every_row_of_the_filter_in_the_order_of_the_list() {
    Answer csv = server.get("/ui/jobs.csv?q=queue%3Amany");
    Answer json = server.get("/ui/jobs.json?q=queue%3Amany");

    List<String> rows = csv.body().lines().skip(1).map(row -> row.replaceAll(",.*", "")).toList();
    assertThat(rows).hasSize(MANY).doesNotHaveDuplicates();
    assertThat(ids(json.json().get("items"))).isEqualTo(rows);
    assertThat(json.json().get("complete").asBoolean()).isTrue();
    assertThat(rows.subList(0, 50))
        .isEqualTo(ids(server.get("/v1/jobs?q=queue%3Amany").json().get("items")));
  }

  @Test
  void a_row_of_json_is_what_the_api_answers() {
    JsonNode row = server.get("/ui/jobs.json?q=queue%3Aother").json().get("items").get(0);

    assertThat(row).isEqualTo(server.get("/v1/jobs?q=queue%3Aother").json().get("items").get(0));
  }

  @Test
  void a_cell_that_somebody_else_wrote_is_no_formula() {
    assertThat(server.get("/ui/jobs.csv?q=queue%3Aother").body()).contains(",'=cmd(),");
  }

  @ParameterizedTest
  @CsvSource({"csv,text/csv", "json,application/json"})
  void a_file_is_kept_under_the_name_of_its_list_and_day(String form, String type) {
    Answer answer = server.get("/ui/jobs." + form + "?q=queue%3Aother");

    assertThat(answer.header("Content-Type")).startsWith(type);
    assertThat(answer.header("Content-Disposition"))
        .matches("attachment; filename=\"ebb-jobs-\\d{4}-\\d\\d-\\d\\d\\." + form + "\"");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "dead", "queues", "operations", "nodes", "audit", "tokens"})
  void each_list_is_there_in_both_forms(String list) {
    Answer csv = server.get("/ui/" + list + ".csv");
    Answer json = server.get("/ui/" + list + ".json");

    assertThat(csv.status()).isEqualTo(200);
    long rows = csv.body().lines().count() - 1;
    assertThat(json.json().get("items")).hasSize((int) rows);
    assertThat(csv.body().lines().map(row -> row.split(",", 2)[0])).doesNotContain("");
  }

  @Test
  void a_page_links_the_files_of_its_own_filter_from_the_first_row_on() {
    String path = "/ui/jobs?q=queue%3Amany";
    String older = Links.named(server.get(path).body(), "Older");

    for (String page : List.of(path, older)) {
      assertThat(server.get(page).body())
          .contains("href=\"/ui/jobs.csv?q=queue%3Amany\"")
          .contains("href=\"/ui/jobs.json?q=queue%3Amany\"");
    }
  }

  @Test
  void a_filter_that_breaks_a_rule_and_a_list_that_nobody_knows_are_pages() {
    assertThat(server.get("/ui/jobs.csv?q=no%3Asuch").status()).isEqualTo(400);
    assertThat(server.get("/ui/jobs.csv?actor=me").status()).isEqualTo(400);
    assertThat(server.get("/ui/secrets.csv").status()).isEqualTo(404);
    assertThat(server.get("/ui/jobs.xml").status()).isEqualTo(404);
  }

  @Test
  void a_file_needs_a_session_and_holds_what_its_owner_may_see() {
    try (UiServer closed = UiServer.closed()) {
      assertThat(closed.get("/ui/jobs.csv").status()).isEqualTo(303);
      assertThat(closed.get("/ui/jobs.csv").header("Location")).startsWith("/ui/login");
      String viewer = closed.token("viewer", Role.VIEWER).text();
      assertThat(closed.get("/ui/jobs.csv", viewer).status()).isEqualTo(200);
      assertThat(closed.get("/ui/audit.csv", viewer).status()).isEqualTo(403);
      assertThat(closed.get("/ui/audit.csv", UiServer.ADMIN).status()).isEqualTo(200);
      assertThat(closed.get("/ui/tokens.csv", viewer).status()).isEqualTo(403);
      assertThat(closed.get("/ui/tokens.csv", UiServer.ADMIN).body())
          .contains(",viewer,viewer,")
          .doesNotContain(viewer);
    }
  }

  private static void attempts(String job, int number) {
    server.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        select '%s', now() + n * interval '1 s', now() + n * interval '1 s', n, 'failed',
          'http_500', '=no()', 'n-7', '{"response":{"status":500},"millis":{"total":21}}'
        from generate_series(1, %s) n
        """
            .formatted(job, number));
  }

  @Test
  void the_attempts_of_a_job_and_the_fires_of_a_schedule_are_files_that_their_pages_link() {
    String job = server.submit("{\"kind\":\"report\",\"payload\":1}");
    attempts(job, MANY);
    server.put(
        "/v1/schedules/nightly",
        "{\"every\":\"P300D\",\"job\":{\"kind\":\"report\",\"payload\":1}}");
    server.post("/v1/schedules/nightly/run", "");

    String attempts = server.get(Links.named(server.get("/ui/jobs/" + job).body(), "CSV")).body();
    assertThat(attempts.lines()).hasSize(MANY + 1);
    assertThat(attempts).contains(",n-7,failed,http_500,'=no(),500,21");
    Answer fires = server.get(Links.named(server.get("/ui/schedules/nightly").body(), "JSON"));
    assertThat(fires.json().at("/items/0/result").asString()).isEqualTo("submitted");
    assertThat(fires.header("Content-Disposition")).contains("\"ebb-fires-");
    assertThat(server.get("/ui/jobs/" + job + "/fires.csv").status()).isEqualTo(404);
    assertThat(server.get("/ui/schedules/none/fires.csv").status()).isEqualTo(404);
  }

  @Test
  void a_download_that_is_refused_gives_its_place_back() {
    IntStream.range(0, 10)
        .forEach(_ -> assertThat(server.get("/ui/jobs.csv?q=no%3Asuch").status()).isEqualTo(400));
    assertThat(server.get("/ui/queues.csv").status()).isEqualTo(200);
  }
}
