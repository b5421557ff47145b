package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"a\":1,\"b\":2} | {\"a\":3} | {\"a\":3,\"b\":2}",
        "{\"a\":1,\"b\":2} | {\"a\":null} | {\"b\":2}",
        "{\"a\":1} | {\"gone\":null} | {\"a\":1}",
        "{\"a\":{\"x\":1,\"y\":2}} | {\"a\":{\"y\":null,\"z\":[null]}} | {\"a\":{\"x\":1,\"z\":[null]}}",
        "{\"a\":[1,2]} | {\"a\":[3]} | {\"a\":[3]}",
        "{\"a\":[1,2]} | {\"a\":{\"x\":1,\"y\":null}} | {\"a\":{\"x\":1}}",
        "{\"a\":{\"x\":1}} | {\"a\":7} | {\"a\":7}",
        "{\"a\":null} | {\"b\":1} | {\"a\":null,\"b\":1}",
        "{\"a\":1} | {} | {\"a\":1}",
        "{\"a\\\"\":1} | {\"a\\\"\":2} | {\"a\\\"\":2}",
      })
  void a_patch_removes_what_is_null_merges_objects_and_replaces_the_rest(
      String target, String patch, String merged) {
    assertThat(apply(target, patch)).isEqualTo(merged);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"p\":{\"n\": 1.00, \"m\":[ 1e2 ],\"x\":1}} | {\"p\":{\"x\":2}}"
            + " | {\"p\":{\"n\":1.00,\"m\":[ 1e2 ],\"x\":2}}",
        "{\"p\":[ 12345678901234567890.10 , \"\\u00e9\" ]} | {\"x\":2}"
            + " | {\"p\":[ 12345678901234567890.10 , \"\\u00e9\" ],\"x\":2}",
      })
  void what_a_patch_does_not_name_stays_to_the_byte(String target, String patch, String merged) {
    assertThat(apply(target, patch)).isEqualTo(merged);
  }

  private static String apply(String target, String patch) {
    return MergePatch.apply(target, JsonObject.parse(patch, JsonText.MAX_DEPTH))
        .members()
        .entrySet()
        .stream()
        .map(member ->
            '"' + member.getKey().replace("\"", "\\\"") + "\":" + member.getValue().text())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
