package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultTest {
  @Test
  void the_token_at_fault_is_told_from_its_neighbours() {
    assertThat(Fault.of("a no:such b", "the parameter q (position 3, no:such) is not a field"))
        .isEqualTo(new Fault("a ", "no:such", " b"));
  }

  @Test
  void a_token_in_quotes_is_one_also_where_they_do_not_end() {
    assertThat(Fault.of("no:\"a b\" c", "(position 1, no:\"a b\") is not a field"))
        .isEqualTo(new Fault("", "no:\"a b\"", " c"));
    assertThat(Fault.of("a \"b c", "(position 3, \"b c) must have a closing quote"))
        .isEqualTo(new Fault("a ", "\"b c", ""));
  }

  @Test
  void a_refusal_without_a_place_in_the_search_is_no_fault_of_a_token() {
    assertThat(Fault.of("a", "the parameter cursor is unknown")).isNull();
    assertThat(Fault.of("a", "(position 2, b) is not a field")).isNull();
    assertThat(Fault.of("a", "(position 0, b) is not a field")).isNull();
  }
}
