package dev.ebb.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.query.JobFacts;
import dev.ebb.core.query.Phase;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is sent of what was put in. */
class OutboxTest {
  private static final Instant AT = Instant.parse("2027-01-31T08:00:00Z");

  private final Outbox outbox = new Outbox();

  private static Event job(String queue) {
    JobFacts facts =
        new JobFacts(
            new UUID(1, 1), Phase.COMPLETED, queue, "a", null, Map.of(), 1, AT, "", AT, null, null);
    return new JobEvent(1, facts, "completed", null);
  }

  private void add(Event event, int times) {
    for (int i = 0; i < times; i++) {
      outbox.add(new News(event));
    }
  }

  private static int count(String text, String line) {
    return (int) text.lines().filter(line::equals).count();
  }

  @Test
  void the_last_event_has_the_id_and_every_block_ends() {
    add(job("q"), 2);
    outbox.mark("here");

    String text = outbox.take();
    assertThat(text).endsWith("}\nid: here\n\n");
    assertThat(count(text, "id: here")).isOne();
    assertThat(count(text, "event: job")).isEqualTo(2);
    assertThat(count(text, "")).isEqualTo(2);
    assertThat(outbox.isEmpty()).isTrue();
    assertThat(outbox.take()).isEmpty();
  }

  @Test
  void an_id_goes_alone_where_nothing_was_to_be_told() {
    outbox.mark("here");

    assertThat(outbox.isEmpty()).isTrue();
    assertThat(outbox.take()).isEqualTo("id: here\n\n");
  }

  @Test
  void beyond_a_hundred_events_of_jobs_are_sums_of_a_bounded_size() {
    add(job("q"), Outbox.MOST);
    assertThat(count(outbox.take(), "event: job")).isEqualTo(Outbox.MOST);

    add(job("q"), Outbox.MOST + 1);
    for (int queue = 0; queue < 5_000; queue++) {
      add(job("q" + queue), 1);
    }
    String text = outbox.take();
    assertThat(count(text, "event: job")).isZero();
    assertThat(count(text, "event: jobs")).isOne();
    assertThat(text).contains("\"counts\":{\"completed\":5101}");
    assertThat(text).contains("\"otherQueues\":{\"completed\":4901}");
    assertThat(text.length()).isLessThan(10_000);
  }

  @Test
  void beyond_a_hundred_changes_the_client_reads_anew() {
    add(new ChangeEvent(1, AT, "queue.pause", "q", 1), Outbox.MOST);
    assertThat(count(outbox.take(), "event: change")).isEqualTo(Outbox.MOST);

    add(new ChangeEvent(1, AT, "queue.pause", "q", 1), Outbox.MOST + 1);
    assertThat(outbox.take()).startsWith("event: reset\ndata: ").contains("\"too_many\"");
  }
}
