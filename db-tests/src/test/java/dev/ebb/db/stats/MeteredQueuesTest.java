package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeteredQueuesTest {
  private final MeteredQueues queues = new MeteredQueues();

  @Test
  void a_queue_is_counted_by_its_name_whether_it_has_settings_or_not() {
    assertThat(queues.admit("orders", true)).isEqualTo("orders");
    assertThat(queues.admit("payments", false)).isEqualTo("payments");
    assertThat(queues.name("payments")).isEqualTo("payments");
    assertThat(queues.name("unseen")).isEqualTo(MeteredQueues.OTHER);
  }

  @Test
  void names_that_anybody_may_invent_are_bounded_and_take_no_place_of_a_queue_with_settings() {
    for (int i = 0; i < MeteredQueues.MOST; i++) {
      assertThat(queues.admit("invented-" + i, false)).isEqualTo("invented-" + i);
    }

    assertThat(queues.admit("one-more", false)).isEqualTo(MeteredQueues.OTHER);
    assertThat(queues.admit("orders", true)).isEqualTo("orders");
    assertThat(queues.admit("invented-0", false)).isEqualTo("invented-0");
    // It gets settings, and with them a place.
    assertThat(queues.admit("one-more", true)).isEqualTo("one-more");
  }

  @Test
  void ten_thousand_queues_with_settings_have_a_bound_too() {
    long named = 0;
    for (int i = 0; i < 10_000; i++) {
      named += queues.admit("q-" + i, true).equals(MeteredQueues.OTHER) ? 0 : 1;
    }

    assertThat(named).isEqualTo(MeteredQueues.MOST);
  }
}
