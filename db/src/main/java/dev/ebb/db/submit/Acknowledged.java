package dev.ebb.db.submit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The jobs that a process acknowledged in the last ten minutes, the last 100,000 at most. */
final class Acknowledged {
  static final Duration KEPT = Duration.ofMinutes(10);
  static final int MOST = 100_000;

  private final @Nullable Job[] ring;
  private long count;

  /** A job that was acknowledged at that time, by this process's clock. */
  record Job(UUID id, String queue, @Nullable String uniqueKey, Instant at) {}

  Acknowledged() {
    this(MOST);
  }

  Acknowledged(int most) {
    this.ring = new @Nullable Job[most];
  }

  synchronized void add(Job job) {
    ring[(int) (count++ % ring.length)] = job;
  }

  /** Those that are still kept at that time, the oldest first. */
  synchronized List<Job> at(Instant now) {
    List<Job> kept = new ArrayList<>();
    for (long i = Math.max(0, count - ring.length); i < count; i++) {
      Job job = ring[(int) (i % ring.length)];
      if (job != null && job.at().isAfter(now.minus(KEPT))) {
        kept.add(job);
      }
    }
    return kept;
  }
}
