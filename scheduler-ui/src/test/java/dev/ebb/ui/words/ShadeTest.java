package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShadeTest {
  @ParameterizedTest
  @CsvSource({
    "0,0,0",
    "0,9,0",
    "1,0,0",
    "1,1000,1",
    "5,100,1",
    "6,100,2",
    "20,100,2",
    "21,100,3",
    "50,100,3",
    "51,100,4",
    "7,7,4"
  })
  void a_larger_share_is_no_lighter(long part, long total, int shade) {
    assertThat(Shade.of(part, total)).isEqualTo(shade);
  }
}
