package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of operations, newest first. */
public record OperationList(List<Operation> items, @Nullable String nextCursor) {}
