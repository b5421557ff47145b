package dev.ebb.db.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is thrown where spans are made, and what is told of it. */
class QuietlyTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  @Test
  void each_kind_of_failure_is_told_once_an_hour() {
    assertThat(Quietly.isNews("one", 5)).isTrue();
    assertThat(Quietly.isNews("one", 4 + HOUR)).isFalse();
    assertThat(Quietly.isNews("other", 6)).as("of another kind").isTrue();
    assertThat(Quietly.isNews("one", 5 + HOUR)).as("an hour later").isTrue();
    assertThat(Quietly.isNews("one", 6 + HOUR)).isFalse();
  }

  @Test
  void whatever_is_thrown_ends_there_even_if_it_has_no_words() {
    class Wordless extends Error {
      private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        throw new StackOverflowError();
      }
    }

    Quietly.run(() -> {
      throw new Wordless();
    });
    assertThat(
            Quietly.<String>get(
                () -> {
                  throw new Wordless();
                },
                "none"))
        .isEqualTo("none");
  }
}
