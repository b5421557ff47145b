package dev.ebb.db.view;

import dev.ebb.core.job.JobState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a list shows; {@code null} for any.
 *
 * @param before only jobs with a smaller id, that is older ones: the cursor
 */
public record JobFilter(
    @Nullable String queue,
    @Nullable JobState state,
    @Nullable String kind,
    @Nullable UUID before) {}
