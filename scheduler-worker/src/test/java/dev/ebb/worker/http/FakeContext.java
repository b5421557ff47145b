package dev.ebb.worker.http;

import dev.ebb.core.job.Job;
import dev.ebb.core.retry.Presets;
import dev.ebb.worker.JobContext;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The context of one attempt, which keeps what was recorded. */
final class FakeContext implements JobContext {
  static final UUID ID = UUID.fromString("0198c1a0-0000-7000-8000-000000000001");

  private final String payload;
  private final int attempt;
  private final Duration remaining;
  volatile @Nullable String recorded;
  volatile @Nullable String destination;
  volatile @Nullable String traceparent;

  FakeContext(String payload, int attempt, Duration remaining) {
    this.payload = payload;
    this.attempt = attempt;
    this.remaining = remaining;
  }

  JsonNode record() {
    return JsonMapper.shared().readTree(String.valueOf(recorded));
  }

  @Override
  public Job job() {
    return new Job(
        ID,
        "http",
        "default",
        5,
        payload,
        attempt,
        16,
        0,
        Instant.EPOCH,
        Duration.ZERO,
        Presets.policy(Presets.DEFAULT),
        null,
        false,
        destination);
  }

  @Override
  public @Nullable String traceparent() {
    return traceparent;
  }

  @Override
  public long fencingToken() {
    return 1;
  }

  @Override
  public Duration remaining() {
    return remaining;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void progress(int percent, String message) {}

  @Override
  public void record(String json) {
    recorded = json;
  }
}
