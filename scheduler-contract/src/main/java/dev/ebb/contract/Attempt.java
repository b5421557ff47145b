package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a job.
 *
 * @param number the number of the attempt, from 1
 * @param node the node that ran it
 * @param dueAt absent where that was not kept, as is {@code waited}
 * @param waited for what it waited from {@code dueAt} until {@code startedAt}; absent where {@code
 *     dueAt} is
 * @param startedAt when it began
 * @param endedAt when it ended; {@code null} while it runs
 * @param recordedAt when its outcome was written; absent where that was not kept
 * @param outcome absent while it runs
 * @param error why it failed; {@code null} if it did not
 * @param detail what its handler recorded, as JSON text: for deliveries the request and the
 *     response
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Attempt(
    int number,
    String node,
    @Nullable Instant dueAt,
    @Nullable WaitParts waited,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant recordedAt,
    @Nullable String outcome,
    @Nullable Failure error,
    @JsonRawValue @Nullable String detail) {

  /**
   * What it waited for after it was due.
   *
   * @param limiter while the rate limit of its queue had no permit left
   * @param slot the rest: for a free slot, a node that runs, or the end of a pause
   */
  public record WaitParts(Duration limiter, Duration slot) {
    /** {@return both together} */
    public Duration total() {
      return limiter.plus(slot);
    }
  }

  /** {@return how it ended, or that it runs} */
  public String word() {
    return outcome == null ? "running" : outcome;
  }

  /** {@return how long it took; {@code null} while it runs} */
  public @Nullable Duration length() {
    return endedAt == null ? null : Duration.between(startedAt, endedAt);
  }

  /**
   * {@return how long its outcome waited until it was written; {@code null} where that was not
   * kept}
   */
  public @Nullable Duration commit() {
    return endedAt == null || recordedAt == null ? null : Duration.between(endedAt, recordedAt);
  }
}
