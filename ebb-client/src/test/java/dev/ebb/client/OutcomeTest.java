package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What an outcome keeps of what a handler gives it. */
class OutcomeTest {
  @Test
  void an_outcome_keeps_what_can_be_told() {
    assertThat(Outcome.fatal(" ", "gone")).hasToString("fatal fatal: gone");
    assertThat(Outcome.fatal("x".repeat(70), "")).hasToString("fatal " + "x".repeat(64) + ": ");
    assertThat(Outcome.notReady(Duration.ofSeconds(-1)).delay()).contains(Duration.ZERO);
    assertThat(Outcome.completed(Collections.singletonMap("a b", null)).word())
        .isEqualTo("completed");
  }
}
