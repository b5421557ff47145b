package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored.
 *
 * @param version grows with every change by people; the fires leave it alone
 * @param origin from when its interval counts
 * @param nextFireAt {@code null} once it has ended; a paused schedule keeps its next fire
 * @param last the last fire that was kept; {@code null} before the first
 * @param waiting how many fires wait for the job before them to end
 */
public record ScheduleView(
    Schedule schedule,
    long version,
    Instant origin,
    @Nullable Instant nextFireAt,
    @Nullable FireView last,
    int waiting,
    @Nullable Pause pause,
    Instant createdAt,
    Instant changedAt) {
  /** Who paused it, why and since when. */
  public record Pause(Instant since, String by, @Nullable String reason) {}
}
