package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabPageTest {
  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String lab(String query) {
    Answer answer = server.get("/ui/lab" + query, UiServer.ADMIN);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void the_address_holds_a_policy_and_the_page_says_what_it_means() {
    assertThat(lab("?jitter=full&base=30s&factor=2&cap=6h&maxAttempts=13&jobs=600"))
        .contains("First try and up to 12 retries, full jitter, 30 s doubling to a 6 h cap")
        .contains("gives up about", "600 jobs that fail together")
        .contains("When each attempt starts", "As a table");
  }

  @Test
  void fields_that_the_address_leaves_out_are_those_of_the_default_policy() {
    assertThat(lab("?base=30s"))
        .contains("First try and up to 15 retries, full jitter, 30 s doubling to a 6 h cap")
        .contains("name=\"cap\" value=\"6h\"");
    assertThat(lab("?jitter=none&maxAttempts=3")).contains("up to 2 retries, no jitter");
    assertThat(lab("?policy=sip&cap=9s")).contains("exactly 500 ms doubling to a 9 s cap");
  }

  @Test
  void a_field_that_was_left_empty_says_that_it_has_the_value_of_the_policy_before() {
    String sent = "?jitter=full&base=30s&factor=2&floor=0s&maxAttempts=9&jobs=600";

    assertThat(lab(sent))
        .containsOnlyOnce("empty: as in default")
        .containsPattern("name=\"cap\" value=\"6h\"[^>]*>\\s*<span class=\"hint\">empty");
    assertThat(lab(sent + "&cap=6h")).doesNotContain("left empty");
    assertThat(lab("?cap=9s")).doesNotContain("left empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"equal", "decorrelated", "additive", "none", "slots", "list"})
  void every_kind_of_jitter_is_drawn(String jitter) {
    String query =
        "?base=1s&cap=1h&factor=2&spread=5s&slot=1s&steps=5s+5m+2h&proportion=0.2&maxAttempts=9";

    assertThat(lab(query + "&jitter=" + jitter)).contains("<svg class=\"chart for-wide\"");
  }

  @ParameterizedTest
  @CsvSource({
    "base=soon, soon, rule-base",
    "base=7h, 7h, rule-base",
    "factor=0.5, 0.5, rule-factor",
    "maxAttempts=1001, 1001, rule-maxAttempts",
    "jobs=0, 0, rule-jobs",
    "deadline=x, x, rule-deadline",
  })
  void a_field_that_breaks_a_rule_keeps_its_text_and_has_the_rule_beside_it(
      String field, String text, String rule) {
    String name = field.substring(0, field.indexOf('='));
    String rest = "&jitter=full&cap=6h&spread=77s" + (name.equals("base") ? "" : "&base=10s");
    String page = lab("?" + field + rest);

    assertThat(page)
        .contains("name=\"" + name + "\" value=\"" + text + "\"", "id=\"" + rule + "\"")
        .contains("value=\"77s\"")
        .doesNotContain("policy-json");
  }

  @Test
  void a_stored_policy_opens_in_the_lab_and_can_be_replaced_as_it_was_seen() {
    Answer saved =
        server.send(
            server
                .request("/v1/policies/merchants")
                .header("Authorization", "Bearer " + UiServer.ADMIN)
                .header("Content-Type", "application/json")
                .PUT(
                    java.net.http.HttpRequest.BodyPublishers.ofString(
                        "{\"policy\":{\"jitter\":\"equal\",\"base\":\"PT7S\",\"cap\":\"PT1H\"}}")));
    assertThat(saved.status()).as(saved.body()).isEqualTo(201);

    assertThat(lab("?policy=merchants"))
        .contains("value=\"7s\"", "Replace merchants", "data-match=\"")
        .contains("policy=merchants");
  }

  @Test
  void those_who_may_not_store_policies_see_all_but_the_buttons() {
    String viewer = server.token("lab viewer", Role.VIEWER).text();

    assertThat(server.get("/ui/lab?policy=svix", viewer).body())
        .contains("When each attempt starts")
        .doesNotContain("data-api", "<dialog");
  }
}
