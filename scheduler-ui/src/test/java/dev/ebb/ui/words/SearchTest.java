package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTest {
  @Test
  void a_state_takes_the_place_of_another() {
    assertThat(Search.with(null, "state", "due")).isEqualTo("state:due");
    assertThat(Search.with("state:dead,held queue:a -state:due x", "state", "due"))
        .isEqualTo("state:due queue:a x");
    assertThat(Search.with("error:\"state:dead x\" state:held", "state", null))
        .isEqualTo("error:\"state:dead x\"");
  }

  @Test
  void it_knows_the_tokens_that_are_there() {
    assertThat(Search.has("a state:dead", "state:dead")).isTrue();
    assertThat(Search.has("\"a state:dead\"", "state:dead")).isFalse();
    assertThat(Search.hasField("-state:dead", "state")).isTrue();
    assertThat(Search.hasField(null, "state")).isFalse();
  }

  @Test
  void what_has_blanks_or_quotes_is_quoted() {
    assertThat(Search.token("key", "order-1")).isEqualTo("key:order-1");
    assertThat(Search.token("label", "a=b c")).isEqualTo("label:\"a=b c\"");
    assertThat(Search.token("key", "a\"\\")).isEqualTo("key:\"a\\\"\\\\\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\\\"", "a\"", "\"\"", "\\", "(", "\"\\"})
  void no_search_is_too_odd_or_too_long(String piece) {
    assertThat(Search.with(piece.repeat(500), "state", "due")).startsWith("state:due");
    assertThat(Search.with(piece.repeat(50_000), "state", "due")).startsWith("state:due");
  }
}
