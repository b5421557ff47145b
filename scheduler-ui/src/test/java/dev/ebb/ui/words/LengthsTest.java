package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LengthsTest {
  @ParameterizedTest
  @CsvSource({
    "30s,PT30S",
    "500ms,PT0.5S",
    "15 m,PT15M",
    "15min,PT15M",
    "2H,PT2H",
    "1.5h,PT5400S",
    "7d,P7D",
    "PT45S,PT45S",
    "soon,soon"
  })
  void what_people_type_is_written_as_the_api_reads_it(String typed, String iso) {
    assertThat(Lengths.iso(typed)).isEqualTo(iso);
  }

  @Test
  void a_length_is_shown_as_people_type_it() {
    assertThat(Lengths.typed(Duration.ofDays(7))).isEqualTo("7d");
    assertThat(Lengths.typed(Duration.ofMinutes(15))).isEqualTo("15m");
    assertThat(Lengths.typed(Duration.ofSeconds(90))).isEqualTo("PT1M30S");
  }
}
