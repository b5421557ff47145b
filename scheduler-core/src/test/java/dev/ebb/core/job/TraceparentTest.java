package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of the header of a trace. */
class TraceparentTest {
  private static final String SPAN = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";

  @ParameterizedTest
  @CsvSource({
    "00-S-01, 00-S-01",
    "00-S-02, 00-S-02",
    "01-S-01, 00-S-01",
    "fe-S-ff-what-ever, 00-S-01",
    "cc-S-fe-, 00-S-00"
  })
  void a_later_version_is_read_as_far_as_this_one_goes(String given, String read) {
    assertThat(Traceparent.read(given.replace("S", SPAN))).isEqualTo(read.replace("S", SPAN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"00-S-01-", "00-S-01-more", "ff-S-01", "01-S-01more", "01-S-0", "1-S-01", "01-S"})
  void what_breaks_the_rules_of_its_version_is_not_read(String given) {
    assertThat(Traceparent.read(given.replace("S", SPAN))).isNull();
  }
}
