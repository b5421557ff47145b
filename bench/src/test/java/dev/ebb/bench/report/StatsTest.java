package dev.ebb.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatsTest {

  @Test
  void the_median_is_the_middle_or_the_mean_of_both_in_the_middle() {
    assertThat(Stats.median(List.of(9, 1, 5))).isEqualTo(5);
    assertThat(Stats.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
    assertThatThrownBy(() -> Stats.median(List.<Integer>of())).hasMessage("no values");
  }

  @Test
  void a_percentile_is_the_value_at_its_rank() {
    List<Integer> hundred = IntStream.rangeClosed(1, 100).boxed().toList().reversed();

    assertThat(Stats.percentile(hundred, 0.5)).isEqualTo(50);
    assertThat(Stats.percentile(hundred, 0.99)).isEqualTo(99);
    assertThat(Stats.percentile(hundred, 1)).isEqualTo(100);
    assertThat(Stats.percentile(List.of(7), 0.01)).isEqualTo(7);
  }
}
