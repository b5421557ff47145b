package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.db.queue.Circuits;
import dev.ebb.ui.UiServer.Answer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages of destinations, over the API. */
class DestinationPagesTest {
  private static final String ACME =
      """
      {
        "url": "https://acme.example/notify?token=s3cret",
        "headers": {"Authorization": "Bearer s3cret", "X-Shop": "7"},
        "success": {"statuses": ["2xx"], "body": {"pointer": "/code", "equals": "OK"}},
        "classes": [
          {"statuses": ["404"], "effect": "permanent", "reason": "order_unknown"},
          {
            "statuses": ["403"], "body": {"matches": "shop [0-9]+ closed"},
            "effect": "disable", "reason": "shop_closed"
          }
        ],
        "timeout": "PT5S",
        "labels": {"merchant": "acme"},
        "maxConcurrency": 7
      }
      """;
  private static final String PLAIN = "{\"url\":\"https://plain.example/\",\"success\":\"alipay\"}";

  private static final String ROOT =
      """
      -----BEGIN CERTIFICATE-----
      MIIBfzCCASWgAwIBAgIUfuvVe4Wwb9PTzYSO4wV7J0j2W+wwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJQWNtZSBSb290MCAXDTI2MTEyODE5NDE1OVoYDzIxMjYxMTA0
      MTk0MTU5WjAUMRIwEAYDVQQDDAlBY21lIFJvb3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQeFy0v1dqDK+AB0wa9ZcinqEfIjsuntW3ZwVSwmHSgcfcXc/j2a9xn
      ALn8DXJYK7KhQ+HBRFXgNQZCxJuJK8wIo1MwUTAdBgNVHQ4EFgQUSkl2yyy6jSAJ
      q+OLbHyYj1nOBxQwHwYDVR0jBBgwFoAUSkl2yyy6jSAJq+OLbHyYj1nOBxQwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBTm51N+OCqgQX4TxF0XmDD
      u1I1H9VzveBLXTO9XGXB9gIhAOy/mCMRxrJjSUQBp1kacQR82Oq9GKB+TyE2yi8t
      FTc3
      -----END CERTIFICATE-----
      """;
  private static final String FINGERPRINT =
      "9939359c1569aa196f1909449ee78abafbabe03d737cd518d066647c6d1ab779";

  private UiServer server = UiServer.open();

  @AfterEach
  void stop() {
    server.close();
  }

  private String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void without_a_destination_the_list_says_what_one_is_and_lets_one_be_added() {
    assertThat(page("/ui/destinations"))
        .contains("No destinations yet", "PUT /v1/destinations/{destination}")
        .doesNotContain("<table", "name=\"paused\"");
  }

  @Test
  void the_list_has_destinations_alone_with_their_addresses() {
    server.put("/v1/destinations/acme", ACME);
    server.put("/v1/destinations/plain", PLAIN);
    server.put("/v1/queues/reports", "{\"paused\":false}");
    server.post("/v1/jobs", "{\"kind\":\"http\",\"destination\":\"plain\",\"payload\":{}}");

    assertThat(page("/ui/destinations"))
        .contains(">acme</a>", ">plain</a>", "https://plain.example/", "token=***")
        .contains(
            "of 7", "<span class=\"none\">unknown</span>", "Nothing ended in the last 24 hours.")
        .containsPattern("q=queue%3Aplain\">1</a>")
        .doesNotContain("reports", "s3cret");
  }

  @Test
  void a_destinations_page_says_where_it_leads_and_what_counts_as_delivered() {
    server.put("/v1/destinations/acme", ACME);

    assertThat(page("/ui/destinations/acme"))
        .contains("class=\"chart heat\"", "Nothing ended in the last 24 hours.")
        .contains("<a href=\"/ui/destinations\">Destinations</a>")
        .contains("https://acme.example/notify?token=***", "Authorization: ***", "X-Shop: 7")
        .contains("no key: deliveries are not signed")
        .contains("2xx whose /code is \"OK\"", "404: permanent, order_unknown")
        .contains("403 whose body matches shop [0-9]+ closed: disable, shop_closed")
        .contains("data-api=\"PATCH /v1/destinations/acme\"", "merchant=acme", "value=\"5s\"")
        .contains("data-api=\"POST /v1/destinations/acme/test\"", "/ui/jobs/{id}")
        .contains("data-api=\"POST /v1/destinations/acme/recover\"", "/ui/operations/{id}")
        .contains("data-api=\"DELETE /v1/destinations/acme\"", "its own rule, as it is")
        .doesNotContain("s3cret");
    server.put("/v1/destinations/plain", PLAIN);
    assertThat(page("/ui/queues/plain"))
        .contains("alipay: a 2xx that says success", "the worker's")
        .contains("<option value=\"alipay\" selected>");
  }

  @Test
  void a_destination_that_fails_is_first_and_can_be_tried_at_once() throws Exception {
    server.put("/v1/destinations/acme", ACME);
    server.put("/v1/destinations/plain", PLAIN);
    server.post("/v1/jobs", "{\"kind\":\"http\",\"destination\":\"plain\",\"payload\":{}}");
    Ballot bad = new Ballot(0, 0, 20, 0, 0, Set.of(), "http_503");
    assertThat(page("/ui/destinations")).doesNotContain("Failing, or asked us to wait");

    new Circuits(server.database()).tell("plain", bad, Duration.ZERO, 0.5);

    assertThat(page("/ui/destinations"))
        .contains(
            "Failing, or asked us to wait", "<span class=\"chip\">http_503</span>", "first failed")
        .contains("state dead\">failing</span>");
    assertThat(page("/ui/destinations/plain"))
        .contains("data-api=\"POST /v1/destinations/plain/probe\"", "Next try")
        .contains("50 % failures of at least 20 attempts in 1 min")
        .contains("this is how they would start without it.");
    assertThat(page("/ui/destinations/acme"))
        .contains("Circuit", "closed")
        .doesNotContain("/probe", "Next try", "would start without it.");
    assertThat(page("/ui")).contains("Destination plain has been failing for");
  }

  @Test
  void its_keys_are_listed_without_their_secrets_and_can_be_rotated() {
    server.put("/v1/destinations/acme", ACME);
    Answer made = server.post("/v1/destinations/acme/keys", "{}");
    String key = made.field("id");

    assertThat(page("/ui/destinations/acme"))
        .contains(key + ", v1", "data-api=\"POST /v1/destinations/acme/keys\"")
        .contains("data-api=\"DELETE /v1/destinations/acme/keys/" + key + "\"")
        .doesNotContain(made.field("secret"), "deliveries are not signed");
  }

  @Test
  void a_key_says_which_share_of_the_deliveries_it_signs_and_lets_it_be_changed() {
    server.put("/v1/destinations/acme", ACME);
    server.post("/v1/destinations/acme/keys", "{\"scheme\":\"wechatpay\"}");
    String key =
        server
            .post(
                "/v1/destinations/acme/keys",
                "{\"scheme\":\"wechatpay\",\"serial\":\"5157F0\",\"share\":30,\"wholeIn\":\"P7D\"}")
            .field("id");

    assertThat(page("/ui/destinations/acme"))
        .contains("serial 5157F0, since ", "30 % of deliveries, all ")
        .contains("data-api=\"POST /v1/destinations/acme/keys/" + key + "/share\"")
        .contains("max=\"100\" required value=\"30\"");
  }

  @Test
  void its_certificates_can_be_put_and_removed_by_a_form() {
    server.put("/v1/destinations/acme", ACME);
    assertThat(page("/ui/destinations/acme"))
        .contains("data-api=\"PUT /v1/destinations/acme/tls\"", "data-into=\"pem-key\"")
        .doesNotContain("DELETE /v1/destinations/acme/tls", "<dt>Trusted</dt>");

    server.put(
        "/v1/destinations/acme/tls", "{\"trust\":\"" + ROOT.strip().replace("\n", "\\n") + "\"}");

    assertThat(page("/ui/destinations/acme"))
        .contains("<dt>Trusted</dt>", "CN=Acme Root", FINGERPRINT)
        .contains("data-api=\"DELETE /v1/destinations/acme/tls\"", "Replace certificates")
        .doesNotContain("BEGIN CERT");
  }

  @Test
  void its_page_lists_its_last_attempts_and_draws_how_long_they_took_and_how_they_ended() {
    server.put("/v1/destinations/plain", PLAIN);
    assertThat(page("/ui/destinations/plain"))
        .contains("No attempts are kept from the last week.", "No attempts were counted in this");
    server.execute(
        """
        with tried as (
          insert into ebb.attempt (
            job_id, started_at, ended_at, number, outcome, failure_reason, node, detail)
          select uuidv7(), now() - i * interval '3 s', now() - i * interval '1 s', 2, 'failed',
            'http_503', 'n1', '{"response": {"status": 503}, "rule": "default: <503>"}'
          from generate_series(1, 60) i
          returning job_id, ended_at
        )
        insert into ebb.delivered (ended_at, job_id, queue)
        select ended_at, job_id, 'plain' from tried;
        insert into ebb.tally (counter, queue, kind, number, bucket, micros)
        values (4, 'plain', 'http', 3, 5, 9000), (3, 'plain', 'http', 1, 5, 3000)
        """);

    assertThat(page("/ui/destinations/plain"))
        .contains("<span class=\"chip\">http_503</span>", "default: &lt;503&gt;", ">n1</td>")
        .contains("The newest 50; older ones are left out.")
        .contains("1 of 4 attempts completed. In a gap nothing was counted.")
        .contains("half had a duration of up to ~", "95 % of up to ~")
        .contains("3 <span class=\"hint\">of 4</span>", "25 %");
  }

  @Test
  void a_queue_of_which_there_is_nothing_can_be_configured_on_its_page() {
    assertThat(server.get("/ui/queues/none").body())
        .containsPattern("name=\"paused\" data-type=\"boolean\" value=\"false\"");
  }

  @Test
  void a_queue_that_is_no_destination_has_no_address() {
    server.put("/v1/queues/reports", "{\"paused\":false}");

    assertThat(page("/ui/queues/reports"))
        .contains("<a href=\"/ui/queues\">Queues</a>")
        .doesNotContain("<h2>Address</h2>", "/v1/destinations");
  }

  @Test
  void who_may_only_look_is_offered_no_change() {
    server.close();
    server = UiServer.closed();
    server.put("/v1/destinations/plain", PLAIN, "Authorization", "Bearer " + UiServer.ADMIN);
    String viewer = server.token("vera", Role.VIEWER).text();

    for (String path : new String[] {"/ui/destinations", "/ui/destinations/plain"}) {
      Answer seen = server.get(path, viewer);
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body()).contains("plain.example").doesNotContain("data-api", "<dialog");
    }
  }
}
