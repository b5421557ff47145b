package dev.ebb.db.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue with its settings.
 *
 * @param pause {@code null} if it is not paused
 * @param createdAt when its settings were created; {@code null} for a queue that only has jobs: the
 *     defaults apply
 */
public record QueueView(
    String name, QueueSettings settings, @Nullable Pause pause, @Nullable Instant createdAt) {
  public boolean isConfigured() {
    return createdAt != null;
  }

  /**
   * What is known of a pause.
   *
   * @param until when it ends by itself; {@code null} for never
   */
  public record Pause(
      @Nullable Instant since,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant until) {}
}
