package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.svg.ProgressBar.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  @Test
  void parts_stand_beside_each_other_in_their_shares() {
    assertThat(ProgressBar.of(List.of(new Part("A", "good", 1), new Part("B", "bad", 2)), 4))
        .contains("class=\"good\" x=\"0.0\" y=\"0\" width=\"250.0\"")
        .contains("class=\"bad\" x=\"250.0\" y=\"0\" width=\"500.0\"");
  }

  @Test
  void a_part_of_nothing_is_not_drawn() {
    assertThat(ProgressBar.of(List.of(new Part("A", "good", 0)), 4)).doesNotContain("good");
    assertThat(ProgressBar.of(List.of(new Part("A", "good", 0)), 0)).doesNotContain("good", "NaN");
  }
}
