package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The overview's card of the subjects that get worse. */
class WorseningCardTest {
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

  @BeforeEach
  void forget() {
    server.execute("delete from ebb.subject_stat; update ebb.settings set subject = null");
  }

  private static String worsening(boolean asPart) {
    var request = server.request("/ui/overview/worsening");
    Answer answer = server.send(asPart ? request.header("HX-Request", "true") : request);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void what_gets_worse_is_named_by_the_label_and_drawn_and_leads_to_its_jobs() {
    server.execute(
        """
        update ebb.settings set subject = 'merchant';
        insert into ebb.subject_stat
        select
          date_trunc('minute', now()) - m * interval '1 minute', gen_random_uuid(),
          array['bikes-ghent', '%s'], case when m = 5 then '{50,50}' else '{200,200}' end::integer[],
          case when m = 5 then '{40,30}' else '{4,4}' end::integer[]
        from unnest('{5,30,40}'::integer[]) m
        """
            .formatted(HOSTILE));

    assertThat(worsening(false)).contains("<h1>Merchants getting worse</h1>", "<html");
    assertThat(worsening(true))
        .doesNotContain("<html", HOSTILE)
        .contains("<h2>Merchants getting worse</h2>")
        .contains("href=\"/ui/jobs?q=subject%3Abikes-ghent\">bikes-ghent</a>")
        .contains("2 % → <strong>80 %</strong>", "40 of 50")
        .contains("highest at ");
    server.submit(
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{\"merchant\":\"bikes-ghent\"},"
            + "\"uniqueKey\":\"refund-280\"}");
    assertThat(server.get("/ui/jobs?q=subject%3Abikes-ghent").body()).contains("refund-280");
    assertThat(server.get("/ui/jobs?q=subject%3Abikes-ghent+state%3Adead").body())
        .doesNotContain("refund-280");
  }

  @Test
  void a_name_leads_to_the_dead_letters_of_its_subject_if_it_has_any_and_else_to_its_jobs() {
    server.execute(
        """
        insert into ebb.subject_stat
        select
          date_trunc('minute', now()) - m * interval '1 minute', gen_random_uuid(),
          '{a.example,b.example}', '{50,50}',
          case when m = 5 then '{40,40}' else '{1,1}' end::integer[]
        from unnest('{5,30}'::integer[]) m
        """);
    Dead dead = new Dead(server);
    dead.dieOf("a.example", "q", "no", 2, "1 min");
    dead.dieOf("c.example", "q", "no", 3, "1 min");
    dead.group();

    String rows = worsening(true);

    assertThat(rows)
        .contains("<a href=\"/ui/dead?subject=a.example\">a.example</a>")
        .contains("<a href=\"/ui/jobs?q=subject%3Ab.example\">b.example</a>")
        .contains("<a href=\"/ui/jobs?q=subject%3Aa.example\" aria-label=\"Jobs of a.example\">");
    assertThat(server.get("/ui/dead?subject=a.example").body())
        .contains(">a.example</a>", "value=\"a.example\"")
        .doesNotContain("c.example");
    dead.clear();
  }

  @Test
  void a_destination_that_gets_worse_leads_to_its_page() {
    server.put("/v1/destinations/bikes-ghent", "{\"url\":\"https://bikes.example/\"}");
    server.execute(
        """
        insert into ebb.subject_stat
        select
          date_trunc('minute', now()) - m * interval '1 minute', gen_random_uuid(),
          '{bikes-ghent,10.0.0.1:8080}', '{50,50}',
          case when m = 5 then '{40,40}' else '{1,1}' end::integer[]
        from unnest('{5,30}'::integer[]) m
        """);

    assertThat(worsening(true))
        .contains("<a href=\"/ui/destinations/bikes-ghent\">bikes-ghent</a>")
        .contains("<a href=\"/ui/jobs?q=");
  }

  @Test
  void a_subject_beyond_the_page_of_rows_leads_to_its_dead_letters_too() {
    server.execute(
        """
        insert into ebb.subject_stat
        select
          date_trunc('minute', now()) - m * interval '1 minute', gen_random_uuid(),
          '{rare.example}', '{50}', case when m = 5 then '{40}' else '{1}' end::integer[]
        from unnest('{5,30}'::integer[]) m
        """);
    Dead dead = new Dead(server);
    for (int i = 0; i < 51; i++) {
      dead.dieOf("host" + i + ".example", "q", "no", 2, "1 min");
    }
    dead.dieOf("rare.example", "q", "no", 1, "1 min");
    dead.group();

    assertThat(worsening(true)).contains("href=\"/ui/dead?subject=rare.example\"");
    dead.clear();
  }

  @Test
  void it_says_whether_nothing_gets_worse_or_nothing_is_known() {
    assertThat(worsening(true))
        .contains("Destinations getting worse")
        .contains("No attempt for any destination finished in the last hour.");

    server.execute(
        """
        insert into ebb.subject_stat
        values (date_trunc('minute', now()), gen_random_uuid(), '{a}', '{5}', '{5}')
        """);
    assertThat(worsening(true)).contains("No destination is getting worse.");
  }
}
