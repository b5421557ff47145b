package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.ui.UiServer.Answer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The overview over the real API, in which nothing runs. */
class OverviewTest {
  private static final String HOSTILE = "<img src=x onerror=alert(1)>";

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String overview(String query) {
    Answer answer = server.get("/ui" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void it_says_what_is_wrong_and_shows_the_queues_with_their_limits() {
    server.submit("{\"kind\":\"a\",\"queue\":\"late\",\"payload\":1}");
    server.execute("update ebb.job set run_at = now() - interval '3 hours' where queue = 'late'");
    server.submit("{\"kind\":\"a\",\"queue\":\"shut\",\"payload\":1}");
    server.post("/v1/queues/shut/pause", "{\"reason\":\"" + HOSTILE + "\"}");
    server.send(
        server
            .request("/v1/queues/slow")
            .header("Content-Type", "application/json")
            .PUT(
                java.net.http.HttpRequest.BodyPublishers.ofString(
                    "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":20}}")));
    server.submit("{\"kind\":\"a\",\"queue\":\"slow\",\"payload\":1,\"delay\":\"PT20M\"}");

    String page = overview("");

    assertThat(page)
        .contains("No worker is running, so no job starts.")
        .contains("The oldest due job of late has been waiting for 3 h")
        .containsPattern("Queue shut has been paused for [0-9]+ m?s by anybody")
        .contains("&lt;img src=x onerror=alert(1)&gt;")
        .doesNotContain(HOSTILE)
        .contains("<p>3 h</p>")
        .contains("of 20/s")
        .contains("No dead letters.");
  }

  /** They read among the jobs: the page does not wait for them. */
  @Test
  void its_parts_that_read_more_come_when_it_is_there_and_are_pages_without_script() {
    server.submit("{\"kind\":\"a\",\"queue\":\"next\",\"payload\":1,\"delay\":\"PT20M\"}");

    assertThat(overview(""))
        .contains("hx-get=\"/ui/overview/jobs\"", "<a href=\"/ui/overview/jobs\">")
        .contains("hx-get=\"/ui/overview/worsening\"", "<a href=\"/ui/overview/worsening\">")
        .contains("hx-get=\"/ui/overview/forecast\"", "<a href=\"/ui/overview/forecast\">");
    Map<String, String> parts =
        Map.of(
            "jobs", "scheduled</span>",
            "worsening", "getting worse",
            "forecast", "due within the hour");
    for (String part : parts.keySet()) {
      String path = "/ui/overview/" + part;
      Answer asPart = server.send(server.request(path).header("HX-Request", "true"));
      String shown = parts.getOrDefault(part, "");

      assertThat(asPart.body()).contains(shown).doesNotContain("<html");
      assertThat(server.get(path).body()).contains(shown, "<html", "<h1>");
    }
  }

  /** How often the server was asked how the queues stand. */
  private static long standings() throws SQLException {
    try (Connection connection = TestPostgres.connect(server.config());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select coalesce(sum(s.calls), 0)
                from pg_stat_statements s
                join pg_database d on d.oid = s.dbid
                where d.datname = current_database()
                  and s.query like '%in_flight as materialized%'
                  and s.query not like '%pg_stat_statements%'
                """)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** A page that takes more than a second asks again. */
  @Test
  void how_the_queues_stand_is_read_once_for_a_page() throws Exception {
    server.execute("create extension if not exists pg_stat_statements");
    overview("");
    Judged.holds(
        "one reading for a page",
        server.config(),
        _ -> {
          long before = standings();
          overview("");
          long read = standings() - before;
          return Judged.missed(() -> assertThat(read).isOne());
        });
  }

  @Test
  void a_step_of_the_lines_leads_to_the_jobs_of_its_time() {
    // Those of other tests would have steps of their own.
    server.execute("delete from ebb.tally");
    server.submit("{\"kind\":\"a\",\"queue\":\"counted\",\"payload\":1}");
    server.execute(
        """
        update ebb.tally set at = at - interval '2 minutes' where queue = 'counted';
        update ebb.job set created_at = created_at - interval '2 minutes' where queue = 'counted'
        """);

    String page = overview("");

    assertThat(page).contains("queue%3A", "created%3E%3D");
    String step = page.replaceAll("(?s).*?<a href=\"([^\"]*created[^\"]*)\">1</a>.*", "$1");
    assertThat(server.get(step.replace("&amp;", "&")).body()).contains("counted</a>");
  }

  @Test
  void every_window_is_drawn_and_an_unknown_one_is_refused() {
    assertThat(overview("")).contains("The lines show the last hour");
    assertThat(overview("?window=15m")).contains("The lines show the last 15 minutes");
    assertThat(overview("?window=6h")).contains("The lines show the last 6 hours");
    assertThat(overview("?window=24h")).contains("The lines show the last 24 hours");
    assertThat(overview("?window=7d")).contains("The lines show the last 7 days");
    assertThat(overview("?window=30d"))
        .contains("The lines show the last 30 days", "?window=30d\" aria-current=\"true\"");

    Answer unknown = server.get("/ui?window=1y");

    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.body()).contains("window must be one of 15m, 1h, 6h, 24h, 7d, 30d");
  }
}
