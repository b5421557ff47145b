package dev.ebb.ui.page.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Operation;
import dev.ebb.ui.page.operations.OperationModel.Stage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationModelTest {
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

  private static OperationModel at(
      int seconds, String state, int matched, int done, @Nullable Double rate, int stage) {
    Operation operation =
        new Operation(
            "id",
            "redrive",
            state,
            null,
            "q",
            null,
            null,
            null,
            true,
            null,
            null,
            rate,
            List.of(1, 10, 100),
            0.2,
            null,
            stage,
            null,
            matched,
            false,
            done,
            0,
            0L,
            0L,
            "ana",
            null,
            START,
            null);
    return new OperationModel(operation, START.plusSeconds(seconds));
  }

  private static List<String> states(OperationModel model) {
    return model.stages().stream().map(Stage::state).toList();
  }

  @Test
  void the_title_marks_an_estimate() {
    assertThat(at(0, "running", 1_204, 0, null, 1).title()).isEqualTo("Redrive ~1,204 jobs");
  }

  @Test
  void the_rest_follows_the_stages() {
    OperationModel model = at(0, "running", 1_204, 11, null, 3);

    assertThat(states(model)).containsExactly("done", "done", "now", "next");
    assertThat(model.stages().getLast()).isEqualTo(new Stage(4, 1_093L, true, "next"));
  }

  @Test
  void stages_for_which_no_jobs_are_left_are_not_shown() {
    assertThat(at(0, "running", 5, 0, null, 1).stages())
        .extracting(Stage::size)
        .containsExactly(1L, 4L);
    assertThat(states(at(9, "completed", 5, 5, null, 2))).containsExactly("done", "done");
    assertThat(states(at(9, "cancelled", 5, 1, null, 2))).containsExactly("done", "next");
  }

  @ParameterizedTest
  @CsvSource({
    "running, 10, 0, 4.0, at least 25 s",
    "running, 10, 50, , ~10 s",
    "running, 0, 0, , –",
    "running, 10, 0, , –",
    "paused, 10, 50, 4.0, –",
    "completed, 10, 100, 4.0, –",
  })
  void the_time_left_comes_from_the_rate_or_else_from_the_pace(
      String state, int seconds, int done, @Nullable Double rate, String words) {
    assertThat(at(seconds, state, 100, done, rate, 4).timeLeft()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"10.0, 10 a second", "0.5, 30 a minute", "0.01, 36 an hour", ", no limit"})
  void a_rate_is_told_in_the_unit_that_fits(@Nullable Double rate, String words) {
    assertThat(at(0, "running", 1, 0, rate, 1).rate()).isEqualTo(words);
  }

  @Test
  void an_operation_on_nothing_is_whole() {
    assertThat(at(0, "completed", 0, 0, null, 1).share()).isEqualTo(1);
    assertThat(at(0, "completed", 0, 0, null, 1).bar()).doesNotContain("NaN");
  }
}
