package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.ui.svg.TimeBar.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TimeBarTest {
  private static final Offset<Double> ROUNDED = within(0.01);

  private static Part part(long millis) {
    return new Part("to-slot", Duration.ofMillis(millis));
  }

  private static List<Double> widths(List<Part> parts) {
    return Pattern.compile("<rect[^>]* width=\"([^\"]*)\"")
        .matcher(TimeBar.draw("words", parts))
        .results()
        .map(rect -> Double.valueOf(rect.group(1)))
        .toList();
  }

  @Test
  void a_short_part_beside_a_long_one_can_be_seen() {
    assertThat(TimeBar.draw("It's late", List.of(part(1))))
        .contains("aria-label=\"It&#39;s late\"");
    assertThat(widths(List.of(part(1), part(99_999_999))).getFirst()).isEqualTo(6, ROUNDED);
  }

  @Test
  void any_number_of_parts_fills_the_bar_and_a_long_one_is_still_told_by_its_width() {
    List<Part> parts = new ArrayList<>(Collections.nCopies(999, part(1)));
    parts.add(part(1_000_000));

    List<Double> widths = widths(parts);

    assertThat(widths.stream().mapToDouble(width -> width).sum()).isEqualTo(1_000, within(5.0));
    assertThat(widths.getLast()).isGreaterThan(590);
  }

  @Test
  void parts_of_the_same_length_have_the_same_width() {
    assertThat(widths(List.of(part(50), part(50)))).containsExactly(500.0, 500.0);
  }
}
