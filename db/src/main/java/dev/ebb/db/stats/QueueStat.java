package dev.ebb.db.stats;

import dev.ebb.contract.DatabaseHealth.DueQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it stands, and what it did lately.
 *
 * @param jobs that have not ended
 * @param inFlight jobs that are claimed
 * @param oldestDue for how long the job has been due that waits longest; {@code null} for none
 * @param last what was counted since the beginning of the minute 1, 5 and 15 minutes ago
 */
public record QueueStat(
    String queue,
    long jobs,
    long deadLetters,
    long inFlight,
    @Nullable Duration oldestDue,
    LastMinutes last) {

  /** The queue with its oldest due job; empty if no job is due. */
  public Optional<DueQueue> due(Set<String> paused) {
    return Optional.ofNullable(oldestDue)
        .map(age -> new DueQueue(queue, age, paused.contains(queue)));
  }

  /** What was counted since the beginning of the minute so many minutes ago. */
  public record LastMinutes(Counts one, Counts five, Counts fifteen) {
    LastMinutes() {
      this(new Counts(), new Counts(), new Counts());
    }
  }
}
