package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A queue and its settings.
 *
 * @param configured whether it has settings; without them the defaults apply
 */
public record Queue(
    String name,
    boolean configured,
    boolean paused,
    @Nullable Pause pause,
    @Nullable JsonNode policy,
    @Nullable String policyName,
    @Nullable RateLimit rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Integer maxDepth,
    @Nullable Instant createdAt) {

  /** One of which nothing is stored. */
  public static Queue unconfigured(String name) {
    return new Queue(name, false, false, null, null, null, null, null, null, null);
  }

  /** Since when, by whom, why and until when. */
  public record Pause(
      @Nullable Instant since,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant until) {}

  /** How fast its jobs may start. */
  public record RateLimit(
      double permitsPerSecond,
      @Nullable Duration warmUp,
      @Nullable Double coldFactor,
      @Nullable Double throttleFactor) {
    /** Whether it opens slowly. */
    public boolean warmsUp() {
      return warmUp != null && !warmUp.isZero();
    }
  }
}
