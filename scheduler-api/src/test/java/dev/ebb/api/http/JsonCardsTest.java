package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCardsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          "4111111111111111"                     | ~~           | "************1111"
          4111111111111111                       | ~~           | "************1111"
          {"a": [1, "x 4111111111111111 y" ]}    | /a/1         | {"a": [1, "x ************1111 y" ]}
          {"a" : 4111111111111111,"b":1.50}      | /a           | {"a" : "************1111","b":1.50}
          {"a/b~c":{"":"4111111111111111"}}      | /a~1b~0c/    | {"a/b~c":{"":"************1111"}}
          {"4111111111111111": {"a":1}}          | /************1111 | {"************1111": {"a":1}}
          {"n":"\\n4111111111111111\\"é"}        | /n           | {"n":"\\n************1111\\"é"}
          {"n":"\\u0034111111111111111"}         | /n           | {"n":"************1111"}
          {"n":"{\\"pan\\":\\"4111111111111111\\"}"} | /n       | {"n":"{\\"pan\\":\\"************1111\\"}"}
          ["4111 1111 1111 1111",378282246310005] | /0          | ["**** **** **** 1111","***********0005"]
          """)
  void a_card_number_is_found_and_masked_and_the_rest_is_left_to_the_byte(
      String json, String pointer, String masked) {
    assertThat(JsonCards.find(json)).contains(pointer);
    assertThat(JsonCards.masked(json)).isEqualTo(masked);
    assertThat(JsonCards.find(masked)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"order\":\"2026112822001433333333334444\",\"amount\": 1.50, \"at\":1764340800000}",
        "{\"a\":\"4111\",\"b\":\"1111\",\"c\":[1111,1111]}",
        "4111111111111111.5",
        "4.111111111111111e15",
        "1e999999999",
        "\"\\u00e9\"",
        "null",
        ""
      })
  void json_without_one_is_left_as_it_is(String json) {
    assertThat(JsonCards.find(json)).isEmpty();
    assertThat(JsonCards.masked(json)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"4111111111111111 {", "{\"a\":\"4111111111111111", "card=4111111111111111"})
  void text_that_is_not_json_is_masked_as_text(String text) {
    assertThat(JsonCards.find(text)).isPresent();
    assertThat(JsonCards.masked(text))
        .doesNotContain("4111111111111111")
        .endsWith(text.substring(text.length() - 1));
  }
}
