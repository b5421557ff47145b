package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.Phase;
import dev.ebb.ui.UiServer.Answer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a search box suggests, what it says of a wrong search, and rows that are chosen. */
class SearchBoxTest {
  private static UiServer server;
  private static String job;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    server.put("/v1/kinds/report", "{\"labelsFrom\":{\"order\":\"/order\"}}");
    job =
        server.submit(
            """
            {"kind":"report","queue":"payments","payload":1,"uniqueKey":"order-77001",
             "labels":{"merchant":"acme"}}
            """);
    server.submit("{\"kind\":\"http\",\"payload\":{\"url\":\"https://shop.example/paid\"}}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(one -> one.isString() ? one.asString() : one.get("text").asString())
        .toList();
  }

  private static Set<String> fields(Answer suggestions) {
    Set<String> fields = new TreeSet<>();
    texts(suggestions.json().get("tokens")).forEach(one -> fields.add(one.split("\\W", 2)[0]));
    return fields;
  }

  @Test
  void every_field_of_the_parser_is_suggested_with_the_values_that_are_known() {
    Answer suggestions = server.get("/ui/suggestions");

    assertThat(fields(suggestions)).containsExactlyInAnyOrderElementsOf(FilterBuilder.FIELDS);
    JsonNode values = suggestions.json().get("values");
    assertThat(texts(values.get("state"))).containsExactlyElementsOf(Phase.filterWords());
    assertThat(texts(values.get("queue"))).contains("payments");
    assertThat(values.has("kind")).isTrue();
  }

  @Test
  void keys_and_labels_of_the_newest_jobs_are_suggested_and_the_names_that_settings_give() {
    JsonNode values = server.get("/ui/suggestions").json().get("values");

    assertThat(texts(values.get("label"))).contains("merchant=acme", "order=");
    assertThat(texts(values.get("key"))).contains("order-77001");
    assertThat(texts(values.get("destination"))).contains("shop.example");
    assertThat(texts(values.get("kind"))).contains("report");
  }

  @Test
  void readers_with_the_same_rights_are_answered_from_memory_for_a_few_seconds() {
    // One that nobody has asked yet: what it was asked before may be about to be forgotten.
    try (UiServer unasked = UiServer.open()) {
      String before = unasked.get("/ui/suggestions").body();
      unasked.submit("{\"kind\":\"later\",\"payload\":1}");

      String after = unasked.get("/ui/suggestions").body();

      assertThat(after).isEqualTo(before);
    }
  }

  @Test
  void payloads_are_not_suggested_to_somebody_who_may_not_search_them() {
    try (UiServer closed = UiServer.closed()) {
      String viewer = closed.token("viewer", Role.VIEWER).text();

      assertThat(fields(closed.get("/ui/suggestions", viewer)))
          .contains("queue")
          .doesNotContain("payload");
      assertThat(fields(closed.get("/ui/suggestions", UiServer.ADMIN))).contains("payload");
      assertThat(closed.get("/ui/suggestions").status()).isEqualTo(303);
    }
  }

  @Test
  void a_wrong_token_is_marked_where_it_stands() {
    assertThat(server.get("/ui/jobs?q=kind%3Areport+%3Cb%3E%3A1+no%3Asuch+x").body())
        .contains("aria-invalid=\"true\"", "aria-describedby=\"fault\"")
        .contains("<code>kind:report &lt;b&gt;:1 <mark>no:such</mark> x</code>")
        .contains("is not a field: fields are state");
    assertThat(server.get("/ui/jobs?q=kind%3Areport").body())
        .doesNotContain("aria-invalid", "<mark>");
  }

  @Test
  void chosen_rows_lead_to_an_operation_on_them() {
    assertThat(server.get("/ui/jobs").body())
        .contains("name=\"ids\" value=\"" + job + "\"", "form=\"picked\"", "id=\"picked\"");
    String other = job.replace('0', '1');

    Answer wizard = server.form("/ui/operations/new", "ids", job, "ids", other, "q", "");

    assertThat(wizard.status()).isEqualTo(200);
    assertThat(wizard.body())
        .contains("2 selected", "name=\"ids\" data-type=\"list\" value=\"" + job + "," + other)
        .doesNotContain("name=\"filter\"");
  }

  @Test
  void chosen_rows_may_come_with_what_is_to_be_done_to_them() {
    Answer wizard = server.form("/ui/operations/new", "ids", job, "action", "cancel");

    assertThat(wizard.body()).containsPattern("value=\"cancel\"[^>]* checked");
  }

  @Test
  void no_chosen_row_is_not_every_job() {
    Answer answer = server.form("/ui/operations/new", "q", "queue:payments");

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).isEqualTo("/ui/jobs?q=queue%3Apayments");
  }

  @Test
  void somebody_who_may_only_look_chooses_nothing() {
    try (UiServer closed = UiServer.closed()) {
      String viewer = closed.token("viewer", Role.VIEWER).text();

      assertThat(closed.get("/ui/jobs", viewer).body())
          .doesNotContain("type=\"checkbox\"", "id=\"picked\"");
    }
  }
}
