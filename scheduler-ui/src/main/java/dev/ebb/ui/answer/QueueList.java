package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of queues, by name. */
public record QueueList(List<Queue> items, @Nullable String nextCursor) {}
