package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters that failed alike, of one subject; or a row of several groups.
 *
 * <p>Of several, what they do not have in common is that of the largest.
 *
 * @param id its id
 * @param queue the queue of its jobs
 * @param kind the kind of its jobs
 * @param errorReason what the failures have as their reason, such as {@code http_500}
 * @param pattern what the messages have in common
 * @param subject whose they are; absent for nobody, or for several
 * @param otherSubjects whether they are of subjects that have no group of their own
 * @param groups how many it holds
 * @param firstSeenAt when the first job died
 * @param lastSeenAt when the newest died
 * @param counts by window
 * @param exact whether all counts are
 * @param samples ids of the newest
 * @param acknowledged whether somebody said that it is known
 * @param acknowledgedAt when they did
 * @param acknowledgedBy who did
 * @param sinceAcknowledged how many died since somebody acknowledged it
 * @param assignee who looks after it; absent for nobody
 * @param note what they wrote
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorGroup(
    String id,
    String queue,
    String kind,
    String errorReason,
    String pattern,
    @Nullable String subject,
    boolean otherSubjects,
    int groups,
    Instant firstSeenAt,
    Instant lastSeenAt,
    Map<String, Long> counts,
    boolean exact,
    List<String> samples,
    boolean acknowledged,
    @Nullable Instant acknowledgedAt,
    @Nullable String acknowledgedBy,
    @Nullable Long sinceAcknowledged,
    @Nullable String assignee,
    @Nullable String note) {

  private static final long EXACT = 1_000;

  /**
   * How many died within a window.
   *
   * @param window as {@code counts} names it
   * @return their number
   */
  public long count(String window) {
    return counts.getOrDefault(window, 0L);
  }

  /** {@return how many died since somebody acknowledged it} */
  public long since() {
    return sinceAcknowledged == null ? 0 : sinceAcknowledged;
  }

  /** {@return whether that number is no estimate} */
  @JsonIgnore
  public boolean isSinceExact() {
    return exact || since() <= EXACT;
  }

  /** {@return how many are there} */
  public long all() {
    return count("all");
  }

  /**
   * Whether the number of a window is no estimate.
   *
   * @param window as {@code counts} names it
   * @return true if they were counted
   */
  public boolean isExact(String window) {
    return exact || (groups == 1 && count(window) <= EXACT);
  }
}
