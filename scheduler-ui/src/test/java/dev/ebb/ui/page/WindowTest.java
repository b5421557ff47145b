package dev.ebb.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WindowTest {
  private static final Instant NOW = Instant.parse("2027-03-01T12:34:56.789Z");

  @ParameterizedTest
  @EnumSource(Window.class)
  void no_window_has_more_than_a_few_hundred_steps(Window window) {
    Instant from = Instant.parse(from(window.before("q", NOW)));

    assertThat((NOW.getEpochSecond() - from.getEpochSecond()) / window.step().toSeconds())
        .isBetween(15L, 360L);
    assertThat(Window.of(window.word())).isEqualTo(window);
  }

  @Test
  void steps_are_those_for_which_there_are_statistics() {
    assertThat(Window.SIX_HOURS.before("a b", NOW))
        .isEqualTo("/v1/queues/a%20b/stats?step=1m&from=2027-03-01T06%3A34%3A56Z");
    assertThat(Window.WEEK.upToNow("q", NOW))
        .isEqualTo("/v1/queues/q/stats?step=1h&from=2027-02-22T13%3A34%3A56Z");
    assertThat(Window.MONTH.upToNow("q", NOW))
        .isEqualTo("/v1/queues/q/stats?step=1d&from=2027-01-31T12%3A34%3A56Z");
  }

  private static String from(String address) {
    return address.replaceAll(".*from=", "").replace("%3A", ":");
  }
}
