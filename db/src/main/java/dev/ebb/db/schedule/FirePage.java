package dev.ebb.db.schedule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a schedule's fires, the newest first.
 *
 * @param next the fire before which the next page begins; {@code null} at the end
 */
public record FirePage(List<FireView> fires, @Nullable Instant next) {}
