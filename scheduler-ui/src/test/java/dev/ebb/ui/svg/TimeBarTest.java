package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.svg.TimeBar.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TimeBarTest {
  private static List<Double> widths(String svg) {
    return Pattern.compile("<rect[^>]* width=\"([^\"]*)\"")
        .matcher(svg)
        .results()
        .map(rect -> Double.valueOf(rect.group(1)))
        .toList();
  }

  @Test
  void a_short_part_beside_a_long_one_can_be_seen() {
    List<Part> parts = List.of(new Part("look-up", 1, "part0"), new Part("body", 99_999, "part1"));

    String svg = TimeBar.draw("Ran for 100 s", parts, 100_000);

    assertThat(svg).contains("aria-label=\"Ran for 100 s\"", "viewBox=\"0 0 300 14\"");
    assertThat(widths(svg)).containsExactly(2.0, 284.0);
  }

  @Test
  void as_many_parts_as_there_are_fit_into_the_bar_and_the_longest_gives_the_scale() {
    List<Part> thin = Collections.nCopies(7, new Part("p", 1, "part0"));
    List<Part> last = new ArrayList<>(thin);
    last.add(new Part("in the node", 1_000_000, "inside"));

    assertThat(widths(TimeBar.draw("", last, 1_000_007)).stream().mapToDouble(w -> w).sum())
        .isLessThanOrEqualTo(300);
    assertThat(widths(TimeBar.draw("", List.of(new Part("run", 50, "part0")), 100)))
        .containsExactly(142.0);
  }
}
