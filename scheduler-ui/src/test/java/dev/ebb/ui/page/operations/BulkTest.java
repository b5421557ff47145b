package dev.ebb.ui.page.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.JobCount;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BulkTest {
  private static final String ID = "3a876f18-1de5-8a51-aa4f-5adcfa13869d";

  @Test
  void a_group_is_found_among_other_words_but_not_within_one() {
    assertThat(Bulk.group("group:" + ID)).isEqualTo(ID);
    assertThat(Bulk.group("state:dead group:" + ID + " queue:q")).isEqualTo(ID);
    assertThat(Bulk.group("-group:" + ID)).isNull();
    assertThat(Bulk.group("group:" + ID + "0")).isNull();
    assertThat(Bulk.group("group:1")).isNull();
    assertThat(Bulk.group(null)).isNull();
  }

  @Test
  void the_words_tell_the_number_and_mark_an_estimate() {
    assertThat(Bulk.words(null)).isEqualTo("Act on all matching jobs…");
    assertThat(Bulk.words(count(1, true))).isEqualTo("Act on the matching job…");
    assertThat(Bulk.words(count(1_204, true))).isEqualTo("Act on all 1,204 matching jobs…");
    assertThat(Bulk.words(count(9_000, false))).isEqualTo("Act on all ~9,000 matching jobs…");
  }

  private static JobCount count(long jobs, boolean exact) {
    return new JobCount(jobs, Map.of(), exact, exact, Instant.EPOCH);
  }
}
