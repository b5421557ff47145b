package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the queues stand. */
public record Overview(
    Instant asOf,
    boolean complete,
    @Nullable Instant exactSince,
    Standing all,
    List<Standing> items,
    @Nullable String nextCursor) {

  /** A queue; without a name all of them. */
  public record Standing(
      @Nullable String queue,
      long jobs,
      long deadLetters,
      long inFlight,
      @Nullable Duration oldestDueAge,
      List<Recent> recent) {

    /** What was counted in the last 1, 5 or 15 minutes. */
    public long of(int minutes, String counter) {
      return recent.stream()
          .filter(one -> one.minutes == minutes)
          .mapToLong(one -> one.counts.getOrDefault(counter, 0L))
          .sum();
    }
  }

  /** What was counted since then. */
  public record Recent(int minutes, Instant from, Map<String, Long> counts) {}
}
