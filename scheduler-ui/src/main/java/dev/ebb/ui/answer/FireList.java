package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the fires of a schedule, newest first. */
public record FireList(List<ScheduleFire> items, @Nullable String nextCursor) {}
