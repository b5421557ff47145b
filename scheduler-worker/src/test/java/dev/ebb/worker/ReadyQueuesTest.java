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
      next.addAll(ready.next(1));
    }
    return next;
  }

  @Test
  void nothing_is_ready_at_first() {
    assertThat(ready.isEmpty()).isTrue();
    assertThat(ready.next(9)).isEmpty();
  }

  @Test
  void a_queue_that_is_told_twice_is_given_once() {
    assertThat(ready.tell("a")).isTrue();
    assertThat(ready.tell("a")).isFalse();

    assertThat(next(2)).containsExactly("a");
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
    assertThat(next(2)).containsExactly("busy");
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

    assertThat(next(100)).hasSize(100).doesNotHaveDuplicates();
    assertThat(ready.isEmpty()).isTrue();
  }

  @Test
  void the_next_are_as_many_as_there_are_and_no_more_than_asked_for() {
    for (int i = 0; i < 5; i++) {
      ready.tell("queue-" + i);
    }

    assertThat(ready.next(3)).hasSize(3);
    assertThat(ready.next(3)).hasSize(2);
  }

  @Test
  void a_queue_that_is_told_alone_comes_alone_and_takes_turns_with_the_others() {
    ready.tellAlone("alone-1");
    ready.tellAlone("alone-2");
    ready.tell("a");
    ready.tell("b");

    assertThat(ready.tell("alone-1")).as("news").isFalse();
    assertThat(List.of(ready.next(9), ready.next(9), ready.next(9)))
        .containsExactly(List.of("alone-1"), List.of("b", "a"), List.of("alone-2"));
    assertThat(ready.isEmpty()).isTrue();
  }
}
