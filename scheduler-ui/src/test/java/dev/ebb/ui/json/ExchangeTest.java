package dev.ebb.ui.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExchangeTest {
  private static JsonNode json(String detail) {
    return JsonMapper.shared().readTree(detail);
  }

  private static Exchange of(String detail) {
    return requireNonNull(Exchange.of(json(detail)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "[]", "{}", "{\"request\":\"GET\"}", "{\"rows\":7}"})
  void what_is_no_delivery_is_no_exchange(String detail) {
    assertThat(Exchange.of(json(detail))).isNull();
    assertThat(Exchange.of(null)).isNull();
  }

  @Test
  void a_delivery_without_an_answer_has_no_status() {
    Exchange exchange = of("{\"request\":{\"method\":\"GET\",\"url\":\"http://a\"}}");

    assertThat(exchange).isEqualTo(new Exchange("GET http://a", null, null, null, null));
  }

  @Test
  void masks_and_parts_of_another_kind_are_no_error() {
    Exchange exchange =
        of(
            """
            {"request":{"method":7,"url":"***","body":"***"},
             "response":{"status":"x","body":["a"]},"millis":{"total":"soon"}}
            """);

    assertThat(exchange.request()).contains("***");
    assertThat(exchange.sent()).isEqualTo("***");
    assertThat(exchange.status()).isNull();
  }

  @Test
  void a_body_that_is_no_text_is_told_by_its_length() {
    String detail =
        "{\"request\":{},\"response\":{\"body\":\"AAE=\",\"bodyBase64\":true,\"bodyBytes\":2}}";

    assertThat(of(detail).got()).isEqualTo("2 bytes of binary data");
  }

  @Test
  void a_long_text_is_cut_between_characters() {
    String text = "a".repeat(999) + "🚀".repeat(50);

    assertThat(Exchange.shortened(text)).isEqualTo("a".repeat(999) + "…");
    assertThat(Exchange.shortened("short")).isEqualTo("short");
  }
}
