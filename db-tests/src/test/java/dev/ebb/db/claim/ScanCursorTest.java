package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ScanCursorTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant EARLIER = NOW.minus(Duration.ofMinutes(1));
  private static final UUID LOW = UUID.fromString("70000000-0000-7000-8000-000000000000");
  private static final UUID HIGH = UUID.fromString("f0000000-0000-7000-8000-000000000000");

  private final ScanCursor cursor = new ScanCursor();

  private void claimed(long lease, int priority, Instant runAt, UUID id, Instant now) {
    ScanCursor.Batch batch = new ScanCursor.Batch();
    batch.put(priority, runAt, id);
    cursor.advance(lease, now, batch);
  }

  private ScanCursor.Start start(int priority) {
    return cursor.starts().stream()
        .filter(start -> start.low() <= priority && start.high() >= priority)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_cursor_starts_before_every_job() {
    assertThat(cursor.starts())
        .containsExactly(new ScanCursor.Start(0, 9, "-infinity", new UUID(0, 0)));
    assertThat(cursor.leasesBefore()).isEmpty();
  }

  @Test
  void a_batch_advances_its_own_priorities_only() {
    claimed(1, 5, EARLIER, LOW, NOW);

    assertThat(cursor.starts())
        .containsExactly(
            new ScanCursor.Start(0, 4, "-infinity", new UUID(0, 0)),
            new ScanCursor.Start(5, 5, EARLIER.toString(), LOW),
            new ScanCursor.Start(6, 9, "-infinity", new UUID(0, 0)));
  }

  @Test
  void a_cursor_never_goes_back_and_orders_ids_as_postgresql_does() {
    claimed(1, 5, EARLIER, HIGH, NOW);
    claimed(2, 5, EARLIER, LOW, NOW);
    claimed(3, 5, EARLIER.minusSeconds(1), HIGH, NOW);

    assertThat(start(5)).isEqualTo(new ScanCursor.Start(5, 5, EARLIER.toString(), HIGH));
  }

  @Test
  void the_last_moments_are_always_read_again_since_commits_come_in_another_order() {
    claimed(1, 5, NOW.minusMillis(1), LOW, NOW);

    assertThat(Instant.parse(start(5).runAt()))
        .isBetween(NOW.minusMillis(100), NOW.minusMillis(10));
    assertThat(cursor.leasesBefore()).as("its job lies behind the cursor").isEmpty();
  }

  @Test
  void a_lease_is_left_out_once_all_its_jobs_lie_before_the_cursor() {
    claimed(1, 5, NOW.minusMillis(1), LOW, NOW);
    claimed(2, 5, NOW.plusSeconds(1), LOW, NOW.plusSeconds(3));
    assertThat(cursor.leasesBefore()).containsExactlyInAnyOrder(1L, 2L);

    cursor.retainLeases(List.of(2L));
    assertThat(cursor.leasesBefore()).containsExactly(2L);
  }

  @Test
  void a_clock_that_steps_back_hides_no_job() {
    claimed(1, 5, EARLIER, LOW, NOW);
    Instant hourAgo = NOW.minus(Duration.ofHours(1));
    claimed(2, 3, hourAgo.minusSeconds(1), LOW, hourAgo);

    assertThat(start(5).runAt()).isEqualTo("-infinity");
    assertThat(cursor.leasesBefore()).containsExactly(2L);
  }
}
