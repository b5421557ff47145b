package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMaskTest {
  private static final String HIDDEN = "\"***\"";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/a | {\"a\":1,\"b\": 2.50 } | {\"a\":\"***\",\"b\": 2.50 }",
        "/a | {\"\\u0061\":{\"x\":[1]},\"b\":2} | {\"\\u0061\":\"***\",\"b\":2}",
        "/a | {\"a\":1,\"a\":2} | {\"a\":\"***\",\"a\":\"***\"}",
        "/a/1 | {\"a\":[\"x\",\"y\",\"z\"]} | {\"a\":[\"x\",\"***\",\"z\"]}",
        "/a/*/n | {\"a\":[{\"n\":1,\"m\":2},{\"n\":3}]} | {\"a\":[{\"n\":\"***\",\"m\":2},{\"n\":\"***\"}]}",
        "/~1~0 | {\"/~\":1,\"x\":\"😀\"} | {\"/~\":\"***\",\"x\":\"😀\"}",
        "/b | {\"a\":\"😀😀\",\"b\":\"x\"} | {\"a\":\"😀😀\",\"b\":\"***\"}",
        "/a | [1,2] | [1,2]",
        "/a | \"text\" | \"text\"",
      })
  void what_a_pointer_names_is_hidden_and_the_rest_kept_to_the_byte(
      String pointer, String json, String shown) {
    assertThat(new JsonMask(List.of(pointer)).apply(json)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "4111 1111 1111 1111",
        "true story",
        "{\"a\":1} {\"a\":2}",
        "{\"a\":",
        "{\"b\":1",
        "no JSON",
      })
  void a_text_that_is_not_one_value_is_hidden_whole(String text) {
    assertThat(new JsonMask(List.of("/a")).apply(text)).isEqualTo(HIDDEN);
    assertThat(new JsonMask(List.of("")).apply(text)).isEqualTo(HIDDEN);
  }

  @Test
  void a_long_text_is_hidden_whole_by_the_empty_pointer() {
    String json = "{\"a\":\"" + "x".repeat(100_000) + "\"}";

    assertThat(new JsonMask(List.of("")).apply(json)).isEqualTo(HIDDEN);
    assertThat(new JsonMask(List.of("/b")).apply(json)).isEqualTo(json);
  }
}
