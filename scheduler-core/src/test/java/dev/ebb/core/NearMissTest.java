package dev.ebb.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearMissTest {

  @ParameterizedTest
  @CsvSource({"kitten,sitting,3", "demo,demo,0", "demo,dmeo,2", "'',api,3", "api,'',3", "a,b,1"})
  void edits_are_insertions_deletions_and_substitutions(String a, String b, int edits) {
    assertThat(NearMiss.edits(a, b)).isEqualTo(edits);
  }

  @Test
  void the_nearest_word_is_offered_and_a_far_one_is_not() {
    List<String> known = List.of("demo", "doctor", "migrate", "worker");

    assertThat(NearMiss.of("docter", known)).contains("doctor");
    assertThat(NearMiss.of("wroker", known)).contains("worker");
    assertThat(NearMiss.of("frobnicate", known)).isEmpty();
    assertThat(NearMiss.of("DOCTER", known)).contains("doctor");
    assertThat(NearMiss.of("x".repeat(1_000_000), known)).isEmpty();
  }
}
