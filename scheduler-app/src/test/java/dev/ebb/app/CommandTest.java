package dev.ebb.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTest {
  private static Command of(String... words) {
    return Command.of(List.of(words));
  }

  @Test
  void no_word_is_a_call_for_help() {
    assertThat(of()).isEqualTo(Command.HELP);
    assertThat(of("--help")).isEqualTo(Command.HELP);
    assertThat(of("demo")).isEqualTo(Command.DEMO);
    assertThat(of("token", "list")).isEqualTo(Command.TOKEN);
  }

  @Test
  void an_unknown_word_is_refused_with_the_one_that_was_meant() {
    CannotStart refused = catchThrowableOfType(CannotStart.class, () -> of("dmeo"));

    assertThat(refused.sentence())
        .isEqualTo("There is no command \"dmeo\". Did you mean demo? See ./ebb help.");
    assertThat(refused.exitCode()).isEqualTo(2);
  }

  @Test
  void a_second_word_is_refused_not_ignored() {
    CannotStart refused = catchThrowableOfType(CannotStart.class, () -> of("worker", "--queues=a"));

    assertThat(refused.sentence()).startsWith("worker takes no arguments");
    assertThat(refused.exitCode()).isEqualTo(2);
  }
}
