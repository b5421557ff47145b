package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.queue.QueueSettings;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For how long a node leaves a limited queue alone. */
class LimitedQueuesTest {
  private static final String QUEUE = "q";
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  /** What the limiter of a queue with other claimers says. */
  private static final Duration PERMITTED_AGAIN = Duration.ofMillis(25);

  private final LimitedQueues queues = new LimitedQueues(Duration.ofSeconds(1));

  @BeforeEach
  void amongMany() {
    queues.nodes(1_000);
  }

  private static ClaimAnswer closed(Duration length, boolean contended) {
    return new ClaimAnswer(
        Optional.empty(),
        false,
        true,
        true,
        QueueSettings.DEFAULT_WEIGHT,
        length,
        false,
        contended,
        Duration.ZERO);
  }

  /** For how long it is left alone after so many claims in a row. */
  private Duration after(int claims, ClaimAnswer answer) {
    for (int claim = 0; claim < claims; claim++) {
      queues.asking(QUEUE);
      queues.answered(QUEUE, answer);
    }
    return Duration.ofNanos(queues.nanosUntilFirst(MINUTE));
  }

  @Test
  void what_others_leave_little_of_is_left_alone_longer_each_time_and_for_some_seconds_at_most() {
    ClaimAnswer contended = closed(PERMITTED_AGAIN, true);

    assertThat(after(1, contended)).isLessThan(Duration.ofMillis(36));
    // Seven halves of a burst window have come together, at least half of which it waits.
    assertThat(after(3, contended)).isGreaterThan(Duration.ofMillis(25));
    assertThat(after(20, contended)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(5_036));

    assertThat(after(1, closed(PERMITTED_AGAIN, false)))
        .as("it finds enough again")
        .isLessThan(Duration.ofMillis(36));
    assertThat(after(1, contended)).isLessThan(Duration.ofMillis(36));
  }

  @Test
  void a_node_alone_does_not_back_off() {
    queues.nodes(1);

    assertThat(after(20, closed(PERMITTED_AGAIN, true))).isLessThan(Duration.ofMillis(36));
  }

  @Test
  void a_queue_whose_next_permit_is_further_away_than_the_longest_poll_is_asked_as_often_as_that() {
    assertThat(after(20, closed(Duration.ofSeconds(30), true)))
        .isLessThan(Duration.ofMillis(1_011));
  }

  @Test
  void a_queue_whose_jobs_this_node_cannot_run_is_left_to_others_whatever_a_late_claim_says() {
    queues.leave(QUEUE);
    long left = queues.nanosUntilFirst(MINUTE);
    assertThat(Duration.ofNanos(left)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(15));

    assertThat(after(1, closed(PERMITTED_AGAIN, false))).isGreaterThan(Duration.ofSeconds(3));
    assertThat(queues.ended(QUEUE)).as("an ended job opens it").isFalse();
    queues.leave(QUEUE);
    assertThat(queues.isClosed(QUEUE)).isTrue();
    assertThat(queues.nanosUntilFirst(MINUTE)).as("each job prolongs it").isLessThan(left);
  }
}
