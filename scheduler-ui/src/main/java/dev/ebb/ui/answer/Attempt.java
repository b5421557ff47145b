package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a job.
 *
 * @param outcome {@code null} while it runs
 * @param detail what its handler recorded
 */
public record Attempt(
    int number,
    String node,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    Job.@Nullable Failure error,
    @Nullable Exact detail) {

  /** How it ended, or that it runs. */
  public String word() {
    return outcome == null ? "running" : outcome;
  }

  /** How long it took; {@code null} while it runs. */
  public @Nullable Duration length() {
    return endedAt == null ? null : Duration.between(startedAt, endedAt);
  }

  /** What it recorded as a delivery; {@code null} if it was none. */
  public @Nullable Delivery delivery() {
    return detail == null ? null : Delivery.of(Json.tree(detail.text()));
  }
}
