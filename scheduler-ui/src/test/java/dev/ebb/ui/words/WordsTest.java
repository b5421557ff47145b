package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void one_is_no_plural() {
    assertThat(Words.counted(0, "job")).isEqualTo("0 jobs");
    assertThat(Words.counted(1, "job")).isEqualTo("1 job");
    assertThat(Words.counted(1, false, "job")).isEqualTo("~1 job");
    assertThat(Words.counted(18_204, false, "job")).isEqualTo("~18,204 jobs");
  }

  @Test
  void an_estimate_of_none_says_nothing() {
    assertThat(Words.number(0, false)).isEqualTo("–");
    assertThat(Words.counted(0, false, "job")).isEqualTo("jobs");
    assertThat(Words.number(0, true)).isEqualTo("0");
    assertThat(Words.number(9_000, false)).isEqualTo("~9,000");
  }
}
