package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a payload carries for its receiver is not for everybody who may look at the job. */
class SecretsTest {
  private static final String PAYLOAD =
      "{\"url\":\"https://m.example/hook?token=hush&a=1\","
          + "\"headers\":{\"Authorization\":\"Bearer hush\",\"x-event\":\"paid\"},"
          + "\"body\":{\"token\":\"shown\"}}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void no_answer_shows_the_secrets_of_a_delivery_and_the_delivery_keeps_them() {
    String job =
        "{\"kind\":\"http\",\"uniqueKey\":\"one\",\"delay\":\"P1D\",\"payload\":" + PAYLOAD + "}";

    Reply created = api.post("/v1/jobs", job);
    String path = created.header("location");

    for (Reply reply :
        new Reply[] {
          created,
          api.post("/v1/jobs", job),
          api.get(path),
          api.post(path + "/retry"),
          api.post(path + "/cancel")
        }) {
      assertThat(reply.status()).isBetween(200, 201);
      assertThat(reply.body()).doesNotContain("hush");
    }
    assertThat(created.body()).contains("token=***&a=1", "\"x-event\":\"paid\"", "\"shown\"");
  }

  @Test
  void the_stored_payload_is_as_it_was_submitted() {
    api.post("/v1/jobs", "{\"kind\":\"http\",\"payload\":" + PAYLOAD + "}");

    assertThat(api.number("select count(*) from ebb.job where payload = '" + PAYLOAD + "'"))
        .isPositive();
  }

  @Test
  void another_kinds_payload_is_shown_to_the_byte() {
    Reply created = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\": " + PAYLOAD + "}");

    assertThat(created.body()).contains("\"payload\":" + PAYLOAD);
  }
}
