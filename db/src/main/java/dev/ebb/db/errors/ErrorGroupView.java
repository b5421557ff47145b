package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of dead letters as people see it, or a row of several.
 *
 * <p>Of several, what they do not have in common is that of the largest, and so are the samples;
 * nobody says anything of them together.
 *
 * @param pattern what their failures have in common
 * @param whose they are
 * @param groups how many it holds
 * @param counts of its dead letters that are there now
 * @param samples ids of the newest of them
 * @param firstSeen when the first of all died, also of those that are gone
 */
public record ErrorGroupView(
    UUID id,
    String queue,
    String kind,
    ErrorPattern pattern,
    Whose whose,
    int groups,
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
    return new ErrorGroupView(
        id, queue, kind, pattern, whose, groups, firstSeen, lastSeen, counts, samples, mark);
  }

  /**
   * Whose the dead letters of a group are.
   *
   * @param subject {@code null} for none, or for several
   * @param others whether they are of those subjects that have no group of their own
   */
  public record Whose(@Nullable String subject, boolean others) {
    /** Of nobody who is known. */
    static final Whose ANYBODY = new Whose(null, false);
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
   * @param exact whether all are exact; otherwise those above {@value GroupCounts#EXACT}, and all
   *     of a row of several groups, are estimates
   */
  public record Counts(List<Long> byWindow, long sinceAcknowledged, boolean exact) {
    public Counts {
      byWindow = List.copyOf(byWindow);
    }
  }
}
