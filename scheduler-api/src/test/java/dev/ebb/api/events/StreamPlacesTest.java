package dev.ebb.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.problem.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamPlacesTest {
  private static StreamPlaces places(int most) {
    return new StreamPlaces(
        new StreamRules(
            most, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofHours(1), 1));
  }

  /** As many as the caller gets. */
  private static int all(StreamPlaces places, String caller) {
    int taken = 0;
    try {
      while (true) {
        places.take(caller);
        taken++;
      }
    } catch (Refusal full) {
      return taken;
    }
  }

  @Test
  void each_caller_leaves_half_of_what_it_finds_to_the_others() {
    StreamPlaces places = places(200);

    assertThat(all(places, "a")).isEqualTo(100);
    assertThat(all(places, "b")).isEqualTo(50);
    assertThat(all(places, "c")).isEqualTo(25);
  }

  @Test
  void a_caller_gets_one_as_long_as_there_is_one() {
    StreamPlaces places = places(2);

    assertThat(all(places, "a")).isOne();
    assertThat(all(places, "b")).isOne();
    assertThat(all(places, "c")).isZero();
    places.giveBack("a");
    assertThat(all(places, "c")).isOne();
  }
}
