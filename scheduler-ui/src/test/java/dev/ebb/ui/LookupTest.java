package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.OrderedJobs;
import dev.ebb.ui.UiServer.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people type into the search box, if it names jobs exactly. */
class LookupTest {
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private static UiServer server;
  private static String order;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    order =
        submit(
            """
            {"kind":"report","payload":1,"uniqueKey":"order-77001","labels":{"order":"77001"}}
            """);
    for (int i = 0; i < 2; i++) {
      submit(
          """
          {"kind":"report","payload":1,"labels":{"merchant":"acme","order":"%s"}}
          """
              .formatted(i));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String submit(String job) {
    Answer stored = server.post("/v1/jobs", job);
    Matcher id = ID.matcher(stored.body());
    assertThat(id.find()).as(stored.body()).isTrue();
    return id.group(1);
  }

  private static Answer search(String text) {
    return server.get("/ui/jobs?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-77001", "key:order-77001", "77001", "order=77001"})
  void a_key_or_the_value_of_a_label_that_one_job_has_opens_it(String text) {
    Answer answer = search(text);

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).isEqualTo("/ui/jobs/" + order);
  }

  @Test
  void an_ordering_key_leads_to_its_jobs_and_to_its_only_one() throws SQLException {
    OrderedJobs.block(server.database(), "refunds", "ORDER-4711", 2);
    UUID only = OrderedJobs.block(server.database(), "payouts", "ORDER-4712", 1).getFirst();

    assertThat(search("ORDER-4711").body()).contains("ordering:ORDER-4711", "blocked");
    assertThat(search("ordering:ORDER-4712").header("Location")).isEqualTo("/ui/jobs/" + only);
    assertThat(search("ORDER-4712").header("Location")).isEqualTo("/ui/jobs/" + only);
  }

  @Test
  void a_number_that_is_one_jobs_label_opens_it_though_others_contain_it() {
    submit(
        """
        {"kind":"report","payload":1,"uniqueKey":"payment-1770012","labels":{"order":"1770012"}}
        """);

    assertThat(search("77001").header("Location")).isEqualTo("/ui/jobs/" + order);
  }

  @Test
  void a_key_with_blanks_and_one_that_was_pasted_with_blanks_around_it_open_their_job() {
    String id =
        submit(
            """
            {"kind":"report","payload":1,"uniqueKey":"order 12 of \\"Ada\\""}
            """);

    assertThat(search("order 12 of \"Ada\"").header("Location")).isEqualTo("/ui/jobs/" + id);
    assertThat(search(" order-77001 ").header("Location")).isEqualTo("/ui/jobs/" + order);
  }

  @Test
  void a_usual_word_that_others_contain_leads_to_a_list() {
    submit(
        """
        {"kind":"report","payload":1,"labels":{"reason":"refund"}}
        """);
    submit(
        """
        {"kind":"report","payload":1,"uniqueKey":"refund-of-a-bike"}
        """);

    assertThat(search("refund").status()).isEqualTo(200);
  }

  @Test
  void an_id_opens_its_job() {
    assertThat(search(order).header("Location")).isEqualTo("/ui/jobs/" + order);
  }

  @Test
  void a_word_that_names_several_jobs_leads_to_all_of_them() {
    Answer answer = search("acme");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("Exact matches", ">label:merchant=acme</a>");
  }

  @Test
  void the_name_of_a_destination_leads_to_its_page_though_it_has_one_job() {
    server.put("/v1/destinations/shop-9", "{\"url\":\"https://shop.example/\"}");
    String page = "<a class=\"choice\" href=\"/ui/destinations/shop-9\">Destination shop-9</a>";

    assertThat(search("shop-9").body()).contains(page, "No jobs match.");
    submit(
        """
        {"kind":"http","destination":"shop-9","payload":{},"uniqueKey":"shop-9"}
        """);
    assertThat(search("shop-9").body()).contains(page, ">key:shop-9</a>");
    assertThat(search("shop-8").body()).doesNotContain("Destination shop-8");
  }

  @Test
  void a_label_is_searched_as_it_is_written() {
    String rows = search("merchant=acme").body();

    assertThat(Pattern.compile("<tr id=\"row-").matcher(rows).results()).hasSize(2);
  }

  @Test
  void a_word_that_is_found_nowhere_can_be_looked_for_in_payloads_at_once() {
    String id =
        submit(
            """
            {"kind":"http","payload":{"url":"https://a.example/","body":{"order":"88-004711"}}}
            """);

    String next = Links.named(search("88-004711").body(), "Look for it in payloads");

    assertThat(server.get(next).body()).contains(id);
    assertThat(search("kind:none").body()).contains("No jobs match.").doesNotContain("Look for it");
  }

  @Test
  void an_empty_result_says_what_is_searched() {
    assertThat(search("nothing-like-it").body())
        .contains("No jobs match.", "no longer have payloads")
        .doesNotContain("All terms");
  }
}
