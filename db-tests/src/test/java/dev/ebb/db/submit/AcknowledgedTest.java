package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AcknowledgedTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Acknowledged acknowledged = new Acknowledged(3);

  private static Acknowledged.Job job(int id, Duration ago) {
    return new Acknowledged.Job(new UUID(0, id), "q", null, NOW.minus(ago));
  }

  @Test
  void what_is_older_than_ten_minutes_is_forgotten() {
    acknowledged.add(job(1, Duration.ofMinutes(11)));
    acknowledged.add(job(2, Duration.ofMinutes(9)));

    assertThat(acknowledged.at(NOW)).containsExactly(job(2, Duration.ofMinutes(9)));
  }

  @Test
  void of_more_than_it_holds_the_last_are_kept_in_their_order() {
    for (int id = 1; id <= 5; id++) {
      acknowledged.add(job(id, Duration.ZERO));
    }

    assertThat(acknowledged.at(NOW))
        .containsExactly(job(3, Duration.ZERO), job(4, Duration.ZERO), job(5, Duration.ZERO));
  }
}
