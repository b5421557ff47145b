package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
  @Test
  void a_time_without_a_value_is_a_gap_and_not_zero() {
    List<Instant> times = List.of(Instant.ofEpochSecond(60), Instant.ofEpochSecond(120));

    Series series = Series.lengths(times, true).line("good", "p50", Arrays.asList(0.0025, null));

    assertThat(series.json())
        .isEqualTo(
            "{\"lengths\":true,\"forming\":true,\"times\":[60,120],\"lines\":["
                + "{\"colour\":\"good\",\"name\":\"p50\",\"values\":[0.0025,null]}]}");
  }
}
