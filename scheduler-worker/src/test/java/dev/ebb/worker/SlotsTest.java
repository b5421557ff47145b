package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final long MUCH = 1L << 30;

  private final Slots slots = new Slots(100, MUCH, true);

  @Test
  void a_queue_alone_gets_half() {
    assertThat(slots.reserve("a", 1_000, 0)).isEqualTo(50);
    assertThat(slots.reserve("a", 1_000, 0)).isZero();
    assertThat(slots.taken()).isEqualTo(50);
  }

  @Test
  void however_many_queues_hold_what_they_can_get_the_next_finds_room() {
    for (int queue = 0; queue < 6; queue++) {
      assertThat(slots.reserve("queue-" + queue, 1_000, 0)).as("queue %s", queue).isPositive();
      assertThat(slots.hasRoom()).isTrue();
    }
  }

  @Test
  void what_another_queue_gives_back_makes_no_queue_hold_more_than_is_free() {
    int held = slots.reserve("a", 30, 0);
    int others = slots.reserve("b", 1_000, 0);
    for (; others > 0; others--) {
      slots.giveBack("b", NewJob.MAX_PAYLOAD_BYTES);
      held += slots.reserve("a", 1_000, 0);
      assertThat(held).isLessThanOrEqualTo(100 - slots.taken());
    }

    assertThat(held).isEqualTo(50);
  }

  @Test
  void the_only_queue_of_a_node_gets_all() {
    Slots own = new Slots(100, MUCH, false);

    assertThat(own.reserve("a", 1_000, 0)).isEqualTo(100);
    assertThat(own.hasRoom()).isFalse();
  }

  @Test
  void a_single_slot_is_for_whoever_comes_first() {
    Slots one = new Slots(1, MUCH, true);

    assertThat(one.reserve("a", 10, 0)).isEqualTo(1);
    assertThat(one.reserve("b", 10, 0)).isZero();
    one.giveBack("a", NewJob.MAX_PAYLOAD_BYTES);
    assertThat(one.reserve("b", 10, 0)).isEqualTo(1);
  }

  @Test
  void bytes_are_shared_as_slots_are() {
    Slots small = new Slots(100, 10L * NewJob.MAX_PAYLOAD_BYTES, true);

    assertThat(small.reserve("a", 100, 0)).isEqualTo(5);
    assertThat(small.reserve("b", 100, 0)).isEqualTo(2);
  }

  @Test
  void what_a_claim_did_not_use_is_free_again() {
    int reserved = slots.reserve("a", 10, 0);
    slots.keep("a", reserved, List.of());

    assertThat(slots.taken()).isZero();
    assertThat(slots.reserve("a", 1_000, 0)).isEqualTo(50);
  }

  @Test
  void queues_that_come_together_get_the_same_and_leave_as_much() {
    assertThat(slots.reserve("a", 1_000, 3)).isEqualTo(20);
    assertThat(slots.reserve("b", 1_000, 2)).isEqualTo(20);
    assertThat(slots.reserve("c", 1_000, 1)).isEqualTo(20);
    assertThat(slots.reserve("d", 1_000, 0)).isEqualTo(20);
    assertThat(slots.free()).isEqualTo(20);
  }

  @Test
  void queues_that_come_together_get_as_much_as_their_weights() {
    slots.weigh("b", 3);

    assertThat(slots.reserve("a", 1_000, 3)).isEqualTo(20);
    assertThat(slots.reserve("b", 1_000, 0)).isEqualTo(60);
    assertThat(slots.free()).isEqualTo(20);
  }

  @Test
  void queues_that_come_in_turns_end_up_with_as_much_as_their_weights() {
    slots.weigh("b", 3);
    int light = slots.reserve("a", 1_000, 0);
    int heavy = slots.reserve("b", 1_000, 0);
    // A job that ends makes room for whichever queue is below its share.
    for (int ended = 0; ended < 200; ended++) {
      slots.giveBack(ended % 2 == 0 ? "a" : "b", NewJob.MAX_PAYLOAD_BYTES);
      light += slots.reserve("a", 1_000, 0) - (ended % 2 == 0 ? 1 : 0);
      heavy += slots.reserve("b", 1_000, 0) - (ended % 2 == 0 ? 0 : 1);
    }

    assertThat(light).isBetween(19, 21);
    assertThat(heavy).isBetween(58, 62);
  }

  @Test
  void a_weight_that_is_taken_away_counts_no_more() {
    slots.weigh("a", 9);
    assertThat(slots.reserve("a", 1_000, 0)).isEqualTo(90);
    slots.keep("a", 90, List.of());
    slots.weigh("a", 1);

    assertThat(slots.reserve("a", 1_000, 0)).isEqualTo(50);
  }
}
