package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
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

  @Test
  void outcomes_that_say_the_same_are_equal() {
    List<Supplier<Outcome>> different =
        List.of(
            Outcome::completed,
            () -> Outcome.completed(Map.of("a", "b")),
            () -> Outcome.failed("a", "b"),
            () -> Outcome.failed("a", "c"),
            () -> Outcome.fatal("a", "b"),
            () -> Outcome.throttled("a", "b", Duration.ofSeconds(1)),
            () -> Outcome.throttled("a", "b", Duration.ofSeconds(2)),
            Outcome::notReady,
            () -> Outcome.notReady(Duration.ofSeconds(1)));

    Set<Outcome> outcomes = new HashSet<>();
    different.forEach(one -> outcomes.add(one.get()));
    assertThat(outcomes).hasSameSizeAs(different);
    assertThat(different).allSatisfy(one -> assertThat(outcomes).contains(one.get()));
  }
}
