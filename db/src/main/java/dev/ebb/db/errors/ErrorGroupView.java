package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of dead letters as people see it.
 *
 * @param pattern what their failures have in common
 * @param counts of its dead letters that are there now
 * @param samples ids of the newest of them
 * @param firstSeen when the first of all died, also of those that are gone
 */
public record ErrorGroupView(
    UUID id,
    String queue,
    String kind,
    ErrorPattern pattern,
    Instant firstSeen,
    Instant lastSeen,
    Counts counts,
    List<UUID> samples,
    Mark mark) {
  /** How far back the counts look; the last one looks back to the beginning. */
  public static final List<String> WINDOWS = List.of("1h", "3h", "24h", "3d", "7d", "all");

  public ErrorGroupView {
    samples = List.copyOf(samples);
  }

  ErrorGroupView with(Counts counts) {
    return new ErrorGroupView(id, queue, kind, pattern, firstSeen, lastSeen, counts, samples, mark);
  }

  /**
   * What people said of a group.
   *
   * @param acknowledged {@code null} if nobody did
   * @param assignee who looks after it; {@code null} for nobody
   */
  public record Mark(
      UUID group,
      @Nullable Acknowledgement acknowledged,
      @Nullable String assignee,
      @Nullable String note) {}

  /** When a group was acknowledged, and by whom. */
  public record Acknowledgement(Instant at, String by) {}

  /**
   * How many died.
   *
   * @param byWindow in the order of {@link #WINDOWS}
   * @param sinceAcknowledged zero if it is not
   * @param exact whether all are exact; otherwise those above {@value GroupCounts#EXACT} are
   *     estimates
   */
  public record Counts(List<Long> byWindow, long sinceAcknowledged, boolean exact) {
    public Counts {
      byWindow = List.copyOf(byWindow);
    }
  }
}
