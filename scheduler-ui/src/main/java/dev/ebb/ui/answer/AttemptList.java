package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of a job's attempts, oldest first. */
public record AttemptList(List<Attempt> items, @Nullable String nextCursor) {}
