package dev.ebb.db.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.HttpDelivery;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryJsonTest {

  @Test
  void a_url_is_enough() {
    HttpDelivery delivery = DeliveryJson.read("{\"url\":\"http://merchant.example/x\"}");

    assertThat(delivery.url()).hasToString("http://merchant.example/x");
    assertThat(delivery.method()).isEqualTo("POST");
    assertThat(delivery.headers()).isEmpty();
    assertThat(delivery.body()).isNull();
  }

  @Test
  void null_counts_as_absent() {
    assertThat(
            DeliveryJson.read(
                "{\"url\":\"http://m.example\",\"method\":null,\"headers\":null,\"body\":null}"))
        .isEqualTo(DeliveryJson.read("{\"url\":\"http://m.example\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "\"\"",
        "\"text \\u00e9 \\ud83d\\ude00 é\"",
        "0",
        "-0.10e+5",
        "1.0",
        "123456789012345678901234567890.10",
        "true",
        "false",
        "{ \"b\" : 1.00 ,\n\t\"a\":[ ] , \"c\" : {\"d\":\"\\/\"} }",
        "[1, 2,3 ]"
      })
  void the_body_is_sent_to_the_byte(String body) {
    assertThat(bodyOf("{\"url\":\"http://m.example\",\"body\":" + body + "}")).isEqualTo(body);
    assertThat(bodyOf("{ \"body\" :\n " + body + " , \"url\":\"http://m.example\" }"))
        .isEqualTo(body);
    assertThat(bodyOf("{\"method\":\"PUT\",\"body\":" + body + ",\"url\":\"http://m.example\"}\n"))
        .isEqualTo(body);
  }

  @Test
  void the_body_is_sent_to_the_byte_wherever_it_lies_in_the_readers_buffers() {
    SplittableRandom random = new SplittableRandom(42);
    for (int run = 0; run < 300; run++) {
      String pad = "é".repeat(random.nextInt(9_000)) + "😀".repeat(random.nextInt(100));
      String body = "{ \"n\":%s.%s0, \"s\":\"%s\" }".formatted(run, run, pad);
      String filler = " ".repeat(random.nextInt(9_000));
      assertThat(
              bodyOf("{\"url\":\"http://m.example\"," + filler + "\"body\":" + body + filler + "}"))
          .isEqualTo(body);
      assertThat(bodyOf("{" + filler + "\"body\":\"" + pad + "\",\"url\":\"http://m.example\"}"))
          .isEqualTo("\"" + pad + "\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, \"a<b\\u003e\"",
    "application/vnd.m+json; charset=utf-8, \"a<b\\u003e\"",
    "text/xml, a<b>",
    "application/x-www-form-urlencoded, a<b>"
  })
  void a_string_is_sent_as_its_characters_where_the_body_is_not_json(String type, String sent) {
    assertThat(
            bodyOf(
                """
                {"url":"http://m.example","body":"a<b\\u003e","headers":{"Content-Type":"%s"}}
                """
                    .formatted(type)))
        .isEqualTo(sent);
  }

  @Test
  void json_other_than_a_string_is_sent_as_json_under_any_type() {
    assertThat(
            bodyOf(
                "{\"url\":\"http://m.example\",\"body\":[1],\"headers\":{\"content-type\":\"a/b\"}}"))
        .isEqualTo("[1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "payload | ",
        "payload | nonsense",
        "payload | []",
        "payload | \"http://m.example\"",
        "payload | null",
        "payload | {\"url\":\"http://m.example\"",
        "payload | {\"url\":\"http://m.example\"} {}",
        "payload | {\"url\":\"http://m.example\",\"url\":\"http://n.example\"}",
        "payload | {\"url\":\"http://m.example\",\"headers\":{\"a\":\"1\",\"a\":\"2\"}}",
        "payload | {\"url\":\"http://m.example\",\"body\":{\"a\":1,\"a\":2}}",
        "payload | {\"url\":\"http://m.example\",\"body\":01}",
        "payload | {\"url\":\"http://m.example\",\"boddy\":1}",
        "payload.url | {}",
        "payload.url | {\"url\":null}",
        "payload.url | {\"url\":1}",
        "payload.url | {\"url\":[\"http://m.example\"]}",
        "payload.url | {\"url\":\"http://127.1/\"}",
        "payload.url | {\"url\":\"http://m.example/\\u0000\"}",
        "payload.url | {\"url\":\"http://m.example/\\ud800\"}",
        "payload.method | {\"url\":\"http://m.example\",\"method\":\"TRACE\"}",
        "payload.method | {\"url\":\"http://m.example\",\"method\":{}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":[]}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a\":1}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a\":null}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a b\":\"1\"}}",
        "payload.headers.host | {\"url\":\"http://m.example\",\"headers\":{\"host\":\"x\"}}",
        "payload.headers.a | {\"url\":\"http://m.example\",\"headers\":{\"a\":\"1\",\"A\":\"2\"}}",
        "payload.body | {\"url\":\"http://m.example\",\"method\":\"GET\",\"body\":1}",
        "payload.body | {\"url\":\"http://m.example\",\"body\":\"\\ud800\",\"headers\":{\"content-type\":\"text/plain\"}}"
      })
  void a_broken_payload_names_its_field(String field, String payload) {
    InvalidInput broken =
        catchThrowableOfType(
            InvalidInput.class, () -> DeliveryJson.read(payload == null ? "" : payload));

    assertThat(broken).isNotNull();
    assertThat(broken.field()).isEqualToIgnoringCase(field);
  }

  @Test
  void every_field_of_the_list_is_read() {
    for (String field : DeliveryJson.FIELDS) {
      InvalidInput broken =
          catchThrowableOfType(
              InvalidInput.class, () -> DeliveryJson.read("{\"%s\":[1]}".formatted(field)));

      assertThat(broken).hasMessageNotContaining("must have no fields but");
    }
  }

  @Test
  void a_body_nested_deeper_than_any_sane_one_is_refused() {
    String deep = "[".repeat(30_000) + "]".repeat(30_000);

    assertThat(
            catchThrowableOfType(
                    InvalidInput.class,
                    () -> DeliveryJson.read("{\"url\":\"http://m.example\",\"body\":" + deep + "}"))
                .field())
        .isEqualTo("payload");
  }

  private static String bodyOf(String payload) {
    return String.valueOf(DeliveryJson.read(payload).body());
  }
}
