package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a queue stands.
 *
 * @param queue absent for all of them together
 * @param jobs those that have not ended
 * @param deadLetters its dead letters
 * @param inFlight jobs that are claimed
 * @param oldestDueAge absent without a job that is due and waits
 * @param recent what was counted since the start of the minute 1, 5 and 15 minutes ago
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueStanding(
    @Nullable String queue,
    long jobs,
    long deadLetters,
    long inFlight,
    @Nullable Duration oldestDueAge,
    List<LastMinutes> recent) {

  /**
   * What was counted since the beginning of the minute so many minutes ago.
   *
   * @param minutes 1, 5 or 15
   * @param from when it was begun to count
   * @param counts what was counted, by name
   */
  public record LastMinutes(int minutes, Instant from, Map<String, Long> counts) {}

  /**
   * What was counted in the last minutes.
   *
   * @param minutes 1, 5 or 15
   * @param counter what was counted
   * @return the number
   */
  public long of(int minutes, String counter) {
    return recent.stream()
        .filter(one -> one.minutes == minutes)
        .mapToLong(one -> one.counts.getOrDefault(counter, 0L))
        .sum();
  }
}
