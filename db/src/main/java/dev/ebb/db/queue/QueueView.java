package dev.ebb.db.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue with its settings.
 *
 * @param createdAt when it was given settings; {@code null} for one that merely has jobs, to which
 *     the defaults apply
 */
public record QueueView(String name, QueueSettings settings, @Nullable Instant createdAt) {
  public boolean isConfigured() {
    return createdAt != null;
  }
}
