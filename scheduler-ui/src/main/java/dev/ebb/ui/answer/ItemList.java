package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of anything. */
public record ItemList(List<Exact> items, @Nullable String nextCursor) {}
