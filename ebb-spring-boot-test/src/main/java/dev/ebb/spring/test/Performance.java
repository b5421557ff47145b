package dev.ebb.spring.test;

import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An attempt that a test makes. */
record Performance<T>(T args, SubmittedJob job, int attempt) implements Run<T> {
  @Override
  public UUID id() {
    return job.id();
  }

  @Override
  public String kind() {
    return job.kind();
  }

  @Override
  public String queue() {
    return job.queue();
  }

  @Override
  public int maxAttempts() {
    return job.maxAttempts();
  }

  @Override
  public Map<String, String> labels() {
    return job.labels();
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.ofNullable(job.traceparent());
  }

  @Override
  public Instant runAt() {
    return job.runAt();
  }

  @Override
  public Instant createdAt() {
    return job.createdAt();
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public boolean mustStop() {
    return false;
  }

  @Override
  public Optional<Stop> why() {
    return Optional.empty();
  }

  @Override
  public void progress(int percent, String message) {
    // Nobody looks.
  }
}
