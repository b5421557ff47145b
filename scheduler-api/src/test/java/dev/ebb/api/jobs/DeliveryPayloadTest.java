package dev.ebb.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryPayloadTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"url":"https://m.example/?token=hush&a=1"} | {"url":"https://m.example/?token=***&a=1"}
          {"url":"https://u:hush@m.example/"} | {"url":"https://***@m.example/"}
          { "\\u0075rl" : "https:\\/\\/m.example/?\\u0073ig=hush" } | { "\\u0075rl" : "https://m.example/?sig=***" }
          {"url":"/","headers":{"Authorization":"Bearer hush", "x":"y"}} | {"url":"/","headers":{"Authorization":"***", "x":"y"}}
          {"headers":{"x":"?token=hush","x-api-key":["hush",{}],"Cookie":7}} | {"headers":{"x":"?token=***","x-api-key":"***","Cookie":"***"}}
          {"url":"?token=hush","url":"?token=hush2"} | {"url":"?token=***","url":"?token=***"}
          """)
  void secrets_in_the_url_and_in_headers_are_hidden_and_all_else_is_kept(
      String payload, String shown) {
    assertThat(DeliveryPayload.shown(payload)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ \"url\" :\t\"https://m.example/p?a=1\" , \"headers\":{ \"x-event\" : \"\\u0061\" } }",
        "{\"body\":{\"url\":\"?token=seen\",\"headers\":{\"Cookie\":\"seen\"}},\"url\":\"/\"}",
        "{\"url\":null,\"headers\":null}",
        "{\"url\":[\"?token=seen\"],\"headers\":[\"Cookie\"]}",
        "[{\"url\":\"?token=seen\"}]",
        "17",
        "\"x\""
      })
  void a_payload_without_secrets_where_they_are_looked_for_is_kept_to_the_byte(String payload) {
    assertThat(DeliveryPayload.shown(payload)).isEqualTo(payload);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"url\":\"?token=hush", "{\"a\":1 \"url\":\"?token=hush\"}", "?token=hush"})
  void of_what_is_no_json_the_secrets_of_every_url_are_hidden(String payload) {
    assertThat(DeliveryPayload.shown(payload)).doesNotContain("hush");
  }

  @Test
  void a_payload_may_be_nested_as_deep_as_it_likes() {
    String deep = "{\"body\":" + "[".repeat(5000) + "]".repeat(5000) + ",\"url\":\"?token=hush\"}";

    assertThat(DeliveryPayload.shown(deep)).endsWith("\"?token=***\"}").startsWith("{\"body\":[[");
  }
}
