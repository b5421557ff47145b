package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectWordsTest {
  @ParameterizedTest
  @CsvSource({
    "merchant, Merchants",
    "merchantId, Merchant ids",
    "shop_name, Shop names",
    "country, Countries",
    "branch, Branches",
    "x, Xs"
  })
  void subjects_are_called_by_their_label(String label, String several) {
    assertThat(SubjectWords.several(label)).isEqualTo(several);
  }

  @Test
  void without_a_label_they_are_destinations() {
    assertThat(SubjectWords.several(null)).isEqualTo("Destinations");
    assertThat(SubjectWords.one(null)).isEqualTo("destination");
  }
}
