package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups, last seen first.
 *
 * @param ungrouped how many dead letters have no group yet, counted up to 1,000
 */
public record ErrorGroupList(List<ErrorGroup> items, @Nullable String nextCursor, long ungrouped) {}
