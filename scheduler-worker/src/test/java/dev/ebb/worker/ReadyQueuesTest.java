package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyQueuesTest {
  private final ReadyQueues ready = new ReadyQueues();

  private List<String> next(int count) {
    List<String> next = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      next.add(String.valueOf(ready.next()));
    }
    return next;
  }

  @Test
  void nothing_is_ready_at_first() {
    assertThat(ready.isEmpty()).isTrue();
    assertThat(ready.next()).isNull();
  }

  @Test
  void a_queue_that_is_told_twice_is_given_once() {
    assertThat(ready.tell("a")).isTrue();
    assertThat(ready.tell("a")).isFalse();

    assertThat(next(2)).containsExactly("a", "null");
  }

  @Test
  void among_very_many_queues_the_last_the_first_and_one_with_a_backlog_come_soon() {
    ready.hadMore("busy");
    for (int i = 0; i < 9_000; i++) {
      ready.tell("queue-" + i);
    }

    assertThat(next(3)).containsExactlyInAnyOrder("busy", "queue-0", "queue-8999");
    ready.tell("new");
    assertThat(next(3)).contains("new", "queue-1");
  }

  @Test
  void a_queue_with_a_backlog_is_not_told_of_as_news() {
    ready.hadMore("busy");

    assertThat(ready.tell("busy")).isFalse();
    assertThat(next(2)).containsExactly("busy", "null");
  }

  @Test
  void what_is_told_is_bounded() {
    int told = 0;
    for (int i = 0; i < 20_000; i++) {
      told += ready.tell("queue-" + i) ? 1 : 0;
    }

    assertThat(told).isEqualTo(10_000);
  }

  @Test
  void every_queue_comes_in_the_end() {
    for (int i = 0; i < 100; i++) {
      ready.tell("queue-" + i);
    }

    assertThat(next(100)).doesNotHaveDuplicates().doesNotContain("null");
    assertThat(ready.isEmpty()).isTrue();
  }
}
