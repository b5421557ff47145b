package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class JobStateTest {

  @Test
  void a_job_moves_as_the_drawing_says() {
    assertThat(JobState.AVAILABLE.next()).containsOnly(JobState.RUNNING, JobState.CANCELLED);
    assertThat(JobState.RUNNING.next())
        .containsOnly(
            JobState.AVAILABLE, JobState.COMPLETED, JobState.DEAD_LETTER, JobState.CANCELLED);
    assertThat(JobState.DEAD_LETTER.next()).containsOnly(JobState.AVAILABLE);
  }

  @Test
  void only_completed_and_cancelled_are_final() {
    for (JobState state : JobState.values()) {
      assertThat(state.isFinal())
          .isEqualTo(EnumSet.of(JobState.COMPLETED, JobState.CANCELLED).contains(state));
    }
  }

  @Test
  void the_word_is_that_of_sql_and_rest() {
    assertThat(JobState.DEAD_LETTER.word()).isEqualTo("dead_letter");
  }
}
