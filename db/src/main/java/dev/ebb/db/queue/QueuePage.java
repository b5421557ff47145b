package dev.ebb.db.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the queues, by name.
 *
 * @param next the name after which the next page begins; {@code null} at the end
 */
public record QueuePage(List<QueueView> queues, @Nullable String next) {}
