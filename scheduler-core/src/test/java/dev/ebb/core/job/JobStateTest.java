package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class JobStateTest {

  @Test
  void the_word_is_that_of_sql_and_rest() {
    assertThat(JobState.DEAD_LETTER.word()).isEqualTo("dead_letter");
  }
}
