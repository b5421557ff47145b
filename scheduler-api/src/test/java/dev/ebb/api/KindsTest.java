package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Settings of kinds: what their jobs take from their payloads as labels. */
class KindsTest {
  private static final String ORDER = "{\"labelsFrom\":{\"order\":\"/body/order\"}}";
  private static final String BOTH =
      "{\"labelsFrom\":{\"order\":\"/body/order\",\"shop\":\"/shop\"},\"reason\":\"support\"}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply delete(String path) {
    return api.send(api.request(path).DELETE());
  }

  @Test
  void settings_of_a_kind_are_stored_shown_listed_replaced_and_removed() {
    Reply stored = api.put("/v1/kinds/notify", ORDER);
    Reply blind = api.put("/v1/kinds/notify", BOTH);
    String tag = api.get("/v1/kinds/notify").header("etag");
    Reply replaced = api.put("/v1/kinds/notify", BOTH, "If-Match", tag);
    Reply stale = api.put("/v1/kinds/notify", ORDER, "If-Match", tag);

    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    assertThat(stored.header("location")).isEqualTo("/v1/kinds/notify");
    assertThat(blind.status()).isEqualTo(428);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(stale.status()).isEqualTo(412);
    assertThat(api.get("/v1/kinds/notify").body()).isEqualTo(replaced.body());
    assertThat(api.get("/v1/kinds").json().path("items").findValuesAsString("name"))
        .contains("notify");
    assertThat(delete("/v1/kinds/notify").status()).isEqualTo(204);
    assertThat(delete("/v1/kinds/notify").field("code")).isEqualTo("kind_not_found");
    assertThat(api.get("/v1/kinds/notify").status()).isEqualTo(404);
  }

  @Test
  void every_change_of_a_kinds_settings_is_in_the_audit() {
    api.put("/v1/kinds/audited", ORDER);
    api.put("/v1/kinds/audited", BOTH, "If-Match", "*");
    delete("/v1/kinds/audited");

    assertThat(
            api.number(
                "select count(*) from ebb.audit where subject = 'audited'"
                    + " and action in ('kind.put', 'kind.delete')"))
        .isEqualTo(3);
  }

  @Test
  void a_submitted_job_has_the_labels_of_its_kind() {
    api.put("/v1/kinds/labelled", ORDER);

    Reply job =
        api.post("/v1/jobs", "{\"kind\":\"labelled\",\"payload\":{\"body\":{\"order\":9981}}}");

    Reply shown = api.get("/v1/jobs/" + job.field("id"));
    assertThat(shown.json().at("/labels/order").asString()).isEqualTo("9981");
  }

  @Test
  void a_pointer_that_is_none_and_no_pointer_at_all_are_refused() {
    for (String labels : new String[] {"{\"order\":\"order\"}", "{}"}) {
      Reply refused = api.put("/v1/kinds/wrong", "{\"labelsFrom\":" + labels + "}");
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    }
    assertThat(api.put("/v1/kinds/1wrong", ORDER).status()).isEqualTo(400);
  }
}
