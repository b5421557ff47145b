package dev.ebb.db.schedule;

import org.jspecify.annotations.Nullable;

/** What a run by hand came to; {@code running} says that overlap forbids it. */
public record HandRun(@Nullable FireView fire, boolean running) {}
