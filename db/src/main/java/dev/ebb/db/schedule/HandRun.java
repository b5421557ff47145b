package dev.ebb.db.schedule;

import org.jspecify.annotations.Nullable;

/**
 * What a run by hand came to.
 *
 * @param fire {@code null} if overlap forbids it
 * @param waiting how many fires would have been before it
 */
public record HandRun(@Nullable FireView fire, int waiting) {}
