package dev.ebb.db.claim;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The due jobs that a look at a queue saw, and how far it looked. */
final class DueJobs {
  private final List<DueJob> jobs = new ArrayList<>();
  private final List<UUID> blocked = new ArrayList<>();
  private final ScanCursor.Batch ends = new ScanCursor.Batch();
  private @Nullable Instant lookedAt;
  private @Nullable Long firstLease;
  private boolean ordered;

  /** In claim order. */
  List<DueJob> jobs() {
    return jobs;
  }

  /** Those that wait for another of their ordering key; perhaps not all of them. */
  List<UUID> blocked() {
    return blocked;
  }

  /**
   * The last jobs of the stretches that it looked through, where these ended before all that is
   * due.
   */
  ScanCursor.Batch ends() {
    return ends;
  }

  /** By the database's clock; {@code null} if it came to nothing. */
  @Nullable Instant lookedAt() {
    return lookedAt;
  }

  /** The queue's first lease; {@code null} if it has none. */
  @Nullable Long firstLease() {
    return firstLease;
  }

  /** Whether jobs of the queue have ordering keys; false if it came to nothing. */
  boolean ordered() {
    return ordered;
  }

  /** Notes what all rows of the queue tell. */
  void looked(Instant at, @Nullable Long first, boolean hasKeys) {
    lookedAt = at;
    firstLease = first;
    ordered = hasKeys;
  }

  void add(DueJob job) {
    jobs.add(job);
  }
}
