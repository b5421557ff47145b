package dev.ebb.db.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventPositionTest {
  private static final Instant SERVER = Instant.parse("2027-01-31T00:00:00.123Z");
  private static final Instant TIME = Instant.parse("2027-01-31T08:00:00.456Z");

  private static EventPosition position(String snapshot) {
    return EventPosition.of(SERVER, TIME, snapshot);
  }

  private static List<Long> seen(EventPosition position) {
    return LongStream.range(1, 13).filter(position::sees).boxed().toList();
  }

  @Test
  void a_position_sees_what_its_snapshot_sees() {
    assertThat(seen(position("3:9:5,3"))).containsExactly(1L, 2L, 4L, 6L, 7L, 8L);
    assertThat(seen(position("9:9:"))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void one_that_stops_earlier_sees_nothing_from_there_on() {
    assertThat(seen(position("3:9:3,5").before(5))).containsExactly(1L, 2L, 4L);
  }

  @Test
  void two_positions_have_together_seen_what_either_saw_and_in_common_what_both_saw() {
    EventPosition one = position("3:9:3,5,8");
    EventPosition other = position("4:11:4,5,9");

    assertThat(seen(one.plus(other))).containsExactly(1L, 2L, 3L, 4L, 6L, 7L, 8L, 10L);
    assertThat(one.plus(other)).isEqualTo(other.plus(one));
    assertThat(seen(one.common(other))).containsExactly(1L, 2L, 6L, 7L);
    assertThat(one.common(other)).isEqualTo(other.common(one));
  }

  @Test
  void a_position_is_read_as_it_was_written() {
    for (EventPosition position : List.of(position("3:9:3,5"), position("9:9:"))) {
      assertThat(EventPosition.parse(position.text())).contains(position);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "a.b",
        "1.1.1-",
        "1.1.1-2",
        "1.1.-1",
        "1.1.A",
        "1.1.1 ",
        "1.1.1.1",
        "zzzzzzzzzz.1.1",
        "1.1.zzzzzzzzzzzzzz",
        "019f2b1e-7c00-7a10-8000-5d2b8f1c0e11"
      })
  void what_is_none_is_not_read(String text) {
    assertThat(EventPosition.parse(text)).isEmpty();
  }
}
