package dev.ebb.db.start;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the cluster's start is paused.
 *
 * @param pausedSince {@code null} while it is not
 * @param pausedBy what paused it; {@code null} while it is not
 * @param resumedAt when people last resumed it; {@code null} for never
 */
public record StartState(
    @Nullable Instant pausedSince, @Nullable String pausedBy, @Nullable Instant resumedAt) {
  static final StartState NEVER_PAUSED = new StartState(null, null, null);

  public boolean isPaused() {
    return pausedSince != null;
  }
}
