package dev.ebb.ui.late;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.AuditList;
import dev.ebb.contract.Waiting;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopsTest {
  private static Span span(int from, int until) {
    return new Span(Past.at(from), Past.at(until));
  }

  @Test
  void a_hold_ends_at_its_end_a_release_or_the_next_hold() {
    Stops stops =
        Past.delivery()
            .acted("job.hold", 1, "heldUntil", Past.at(5).toString())
            .acted("job.hold", 10)
            .acted("job.note", 12)
            .acted("job.hold", 15, "heldUntil", Past.at(99).toString())
            .acted("job.release", 20)
            .is("cancelled", 0, 100)
            .stops();

    assertThat(stops.holds()).containsExactly(span(1, 5), span(10, 15), span(15, 20));
  }

  @Test
  void a_pause_ends_when_it_is_resumed_or_its_end_is_changed() {
    Stops stops =
        Past.delivery()
            .acted("queue.pause", 1, "paused", "true")
            .acted("queue.put", 3, "maxDepth", "7")
            .acted("queue.pause", 5, "pausedUntil", Past.at(50).toString())
            .acted("queue.resume", 9, "paused", "false")
            .is("cancelled", 0, 100)
            .stops();

    assertThat(stops.pauses()).containsExactly(span(1, 5), span(5, 9));
  }

  @Test
  void who_may_not_see_the_audit_of_the_queue_still_knows_that_it_is_paused() {
    Waiting.Reason reason =
        new Waiting.Reason(
            "queue_paused",
            "",
            Past.at(4),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    Waiting waiting = new Waiting("id", "available", true, null, List.of(reason));

    Stops stops = Stops.of(new AuditList(List.of(), null), null, waiting, null);

    assertThat(stops.pauses()).containsExactly(new Span(Past.at(4), Instant.MAX));
    assertThat(stops.knowsPauses()).isFalse();
  }
}
