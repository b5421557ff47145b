package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings of the whole cluster over REST, and what they make of jobs. */
class SettingsTest {
  private static final String SETTINGS = "/v1/settings";
  private static final String DELIVERY =
      """
      {"kind":"http","payload":{"url":"https://Pay.example/x"},"labels":{"merchant":"acme"}}
      """;

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Reply patch(String tag, String body) {
    var request = api.request(SETTINGS).header("Content-Type", "application/merge-patch+json");
    if (!tag.isEmpty()) {
      request.header("If-Match", tag);
    }
    return api.send(request.method("PATCH", BodyPublishers.ofString(body)));
  }

  @Test
  void a_label_is_chosen_as_subject_and_no_longer_with_an_entry_in_the_audit() {
    Reply none = api.get(SETTINGS);
    assertThat(none.body()).isEqualTo("{}");

    Reply chosen = patch(none.header("etag"), "{\"subject\":\"merchant\",\"reason\":\"asked\"}");
    assertThat(chosen.body()).isEqualTo("{\"subject\":\"merchant\"}");
    assertThat(api.get(SETTINGS).header("etag")).isEqualTo(chosen.header("etag"));
    assertThat(patch("*", "{}").body()).as("what is not named").isEqualTo(chosen.body());
    assertThat(patch("*", "{\"subject\":null}").body()).isEqualTo("{}");

    assertThat(api.get("/v1/audit?action=settings").body())
        .contains("\"to\":\"merchant\"", "\"from\":\"merchant\"", "\"reason\":\"asked\"");
  }

  @Test
  void what_somebody_else_chose_meanwhile_is_not_overwritten() {
    String tag = api.get(SETTINGS).header("etag");

    assertThat(patch("", "{\"subject\":\"a\"}").status()).isEqualTo(428);
    assertThat(patch(tag, "{\"subject\":\"a\"}").status()).isEqualTo(200);
    assertThat(patch(tag, "{\"subject\":\"b\"}").status()).isEqualTo(412);
    assertThat(patch("*", "{\"subject\":\"a=b\"}").status()).isEqualTo(400);
    assertThat(patch("*", "{\"object\":\"a\"}").status()).isEqualTo(400);
  }

  @Test
  void a_job_tells_its_destination_at_once_and_its_subject_whenever_it_is_read() {
    Reply submitted = api.post("/v1/jobs", DELIVERY);
    assertThat(submitted.field("destination")).isEqualTo("pay.example");
    assertThat(submitted.json().has("subject")).isFalse();
    String path = "/v1/jobs/" + submitted.field("id");
    assertThat(api.get(path).field("subject")).isEqualTo("pay.example");

    patch("*", "{\"subject\":\"merchant\"}");

    assertThat(api.get(path).field("subject")).isEqualTo("acme");
    assertThat(api.get("/v1/jobs").json().at("/items/0/subject").asString()).isEqualTo("acme");
    for (String query :
        new String[] {"subject=acme", "destination=PAY.example", "q=subject:acme"}) {
      assertThat(api.get("/v1/jobs?" + query).json().path("items").size()).as(query).isOne();
    }
    assertThat(api.get("/v1/jobs?subject=other").json().path("items").size()).isZero();
  }

  @Test
  void the_label_stays_while_an_operation_looks_for_a_subject() {
    patch("*", "{\"subject\":\"merchant\"}");
    String all = "{\"action\":\"redrive\",\"filter\":{\"q\":\"%s\"}}";
    api.post("/v1/operations", all.formatted("queue:subject"));
    assertThat(patch("*", "{\"subject\":\"shop\"}").status()).isEqualTo(200);
    String id = api.post("/v1/operations", all.formatted("subject:acme")).field("id");

    Reply refused = patch("*", "{\"subject\":\"merchant\"}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.field("detail"))
        .isEqualTo(
            "The operation " + id + " looks for a subject: let it end or cancel it, then choose.");
    assertThat(patch("*", "{\"subject\":\"shop\"}").status()).as("the same").isEqualTo(200);

    api.post("/v1/operations/" + id + "/cancel", "{}");
    assertThat(patch("*", "{\"subject\":\"merchant\"}").status()).isEqualTo(200);
  }
}
