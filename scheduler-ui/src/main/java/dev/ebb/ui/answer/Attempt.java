package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a job.
 *
 * @param dueAt {@code null} where that was not kept, as is {@code waited}
 * @param recordedAt when its outcome was written; {@code null} where that was not kept
 * @param outcome {@code null} while it runs
 * @param detail what its handler recorded
 */
public record Attempt(
    int number,
    String node,
    @Nullable Instant dueAt,
    @Nullable Waited waited,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant recordedAt,
    @Nullable String outcome,
    Job.@Nullable Failure error,
    @Nullable Exact detail) {

  /** What it waited for after it was due. */
  public record Waited(Duration limiter, Duration slot) {
    public Duration total() {
      return limiter.plus(slot);
    }
  }

  /** How it ended, or that it runs. */
  public String word() {
    return outcome == null ? "running" : outcome;
  }

  /** How long it took; {@code null} while it runs. */
  public @Nullable Duration length() {
    return endedAt == null ? null : Duration.between(startedAt, endedAt);
  }

  /** How long its outcome waited until it was written; {@code null} where that was not kept. */
  public @Nullable Duration commit() {
    return endedAt == null || recordedAt == null ? null : Duration.between(endedAt, recordedAt);
  }

  /** What it recorded as a delivery; {@code null} if it was none. */
  public @Nullable Delivery delivery() {
    return detail == null ? null : Delivery.of(Json.parsed(detail.text()));
  }
}
