package dev.ebb.core.query;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a job at a moment that filters need, without payloads.
 *
 * @param attempts how often it was started
 * @param labels none where the filter does not ask for them
 * @param error its last one; empty for none, and where the filter does not ask for it
 * @param at the moment, from which its age counts
 * @param destination where its delivery goes
 * @param subject what it is about
 */
public record JobFacts(
    UUID id,
    Phase phase,
    String queue,
    String kind,
    @Nullable String uniqueKey,
    Map<String, String> labels,
    int attempts,
    Instant createdAt,
    String error,
    Instant at,
    @Nullable String destination,
    @Nullable String subject) {

  public JobFacts {
    labels = Map.copyOf(labels);
  }
}
