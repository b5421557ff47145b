package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Limiter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparkTest {
  @Test
  void the_largest_value_is_at_the_top_and_zero_at_the_bottom() {
    assertThat(Spark.of(List.of(0.0, 2.0, 1.0), "good", "x"))
        .contains("d=\"M0.0 33.0L80.0 1.0L160.0 17.0\"");
  }

  @Test
  void values_that_are_all_zero_lie_at_the_bottom_and_too_few_draw_nothing() {
    assertThat(Spark.of(List.of(0.0, 0.0), "good", "x")).contains("M0.0 33.0L160.0 33.0");
    assertThat(Spark.of(List.of(1.0), "good", "x")).doesNotContain("<path");
  }

  @Test
  void a_label_is_text_whatever_it_says() {
    assertThat(Spark.of(List.of(), "good", "\"><script>alert('1')</script>&"))
        .doesNotContain("<script")
        .contains("&quot;&gt;&lt;script&gt;");
  }

  @Test
  void a_bar_shows_how_far_a_limiter_is_open() {
    Limiter open =
        new Limiter("warming", 10, 20, 20, 5, 0, 9, Instant.EPOCH, null, null, List.of());
    Limiter cut =
        new Limiter("warm", 2, 2, 20, 5, 0, 9, Instant.EPOCH, Instant.EPOCH, null, List.of());

    assertThat(RateBar.of(open, false))
        .contains("class=\"info\" width=\"36.0\"")
        .contains("M18.0 0V10");
    assertThat(RateBar.words(open, false)).isEqualTo("warming, 10 of 20/s");
    assertThat(RateBar.of(cut, false)).contains("class=\"warn\"");
    assertThat(RateBar.words(cut, false)).isEqualTo("cut, 2 of 20/s");
    assertThat(RateBar.words(cut, true)).isEqualTo("paused, 0 of 20/s");
  }
}
