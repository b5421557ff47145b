package dev.ebb.db.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue with its settings.
 *
 * @param createdAt when its settings were created; {@code null} for a queue that only has jobs: the
 *     defaults apply
 */
public record QueueView(String name, QueueSettings settings, @Nullable Instant createdAt) {
  public boolean isConfigured() {
    return createdAt != null;
  }
}
