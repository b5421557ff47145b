package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegexTest {
  @Test
  void an_expression_is_compiled_once_for_each_way_it_is_meant() {
    assertThat(Regex.compiled("ok|paid", false)).isSameAs(Regex.compiled("ok|paid", false));
    assertThat(Regex.compiled("ok|paid", true)).isNotSameAs(Regex.compiled("ok|paid", false));
    assertThat(Regex.matches("ok|paid", true, "PAID")).isTrue();
    assertThat(Regex.matches("ok|paid", false, "PAID")).isFalse();
  }

  @Test
  void those_of_very_many_rules_do_not_fill_the_memory_and_the_last_ones_stay() {
    var used = Regex.compiled("used", false);
    for (int i = 0; i < 20_000; i++) {
      assertThat(Regex.matches("[0-9]{3}(order|payment) " + i, false, "123order " + i)).isTrue();
      assertThat(Regex.compiled("used", false)).isSameAs(used);
    }

    assertThat(Regex.keptSteps()).isBetween(Regex.MOST_STEPS / 2, Regex.MOST_STEPS);
  }
}
