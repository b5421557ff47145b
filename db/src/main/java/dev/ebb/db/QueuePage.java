package dev.ebb.db;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the queues, by name.
 *
 * @param next behind which the next page begins; {@code null} at the end
 */
public record QueuePage(List<Queues.Queue> queues, @Nullable String next) {}
