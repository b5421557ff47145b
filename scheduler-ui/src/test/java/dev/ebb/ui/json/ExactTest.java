package dev.ebb.ui.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ExactTest {
  private static String exact(String json) {
    return JsonMapper.shared().readValue(json, Exact.class).text();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123456789012345678901234567890",
        "1.10",
        "1E+5",
        "-0",
        "-0.0",
        "1e400",
        "0.1000000000000000055511151231257827",
        "true",
        "{}",
        "[]",
        "\"\\u0000<script>é\\\"\\\\\""
      })
  void what_was_written_is_shown(String json) {
    assertThat(exact(json)).isEqualTo(json);
  }

  @Test
  void members_stand_in_lines_in_their_order() {
    assertThat(exact("{\"b\":[1,{\"c\":null}],\"a\":\"x\",\"e\":{},\"b\":1.0}"))
        .isEqualTo(
            """
            {
              "b": [
                1,
                {
                  "c": null
                }
              ],
              "a": "x",
              "e": {},
              "b": 1.0
            }\
            """);
  }
}
