package dev.ebb.spring;

import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A first attempt at a job that nobody stored. */
record TestRun<T>(T args, @Nullable Stop stop) implements Run<T> {
  static <T> TestRun<T> of(T args) {
    return new TestRun<>(args, null);
  }

  @Override
  public boolean isCancelled() {
    return stop == Stop.CANCELLED;
  }

  @Override
  public boolean mustStop() {
    return stop != null;
  }

  @Override
  public UUID id() {
    return new UUID(0, 7);
  }

  @Override
  public String kind() {
    return "paid";
  }

  @Override
  public String queue() {
    return "merchants";
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public int maxAttempts() {
    return 3;
  }

  @Override
  public Map<String, String> labels() {
    return Map.of();
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.empty();
  }

  @Override
  public Instant runAt() {
    return Instant.EPOCH;
  }

  @Override
  public Instant createdAt() {
    return Instant.EPOCH;
  }

  @Override
  public Optional<Stop> why() {
    return Optional.ofNullable(stop);
  }

  @Override
  public void progress(int percent, String message) {}
}
