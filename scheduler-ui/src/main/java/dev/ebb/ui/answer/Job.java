package dev.ebb.ui.answer;

import dev.ebb.contract.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job, as {@code GET /v1/jobs/{id}} and the lists answer it. */
public record Job(
    String id,
    String kind,
    String queue,
    int priority,
    String state,
    String phase,
    int attempt,
    int maxAttempts,
    Instant runAt,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String node,
    @Nullable Failure lastError,
    @Nullable String deadReason,
    boolean cancelRequested,
    @Nullable Exact payload,
    @Nullable Policy policy,
    @Nullable String uniqueKey,
    @Nullable Duration timeout,
    @Nullable Map<String, String> labels,
    @Nullable Exact progress,
    @Nullable Hold hold) {

  public Job {
    labels = labels == null ? Map.of() : labels;
  }

  /** Why an attempt failed. */
  public record Failure(String reason, @Nullable String message) {}

  /** What keeps it from running. */
  public record Hold(@Nullable Instant until, @Nullable String reason) {}

  /** Whether it will change no more by itself. */
  public boolean hasEnded() {
    return endedAt != null;
  }
}
