package dev.ebb.db.audit;

import org.jspecify.annotations.Nullable;

/**
 * A field that an action changed. Of one whose values are not shown, a payload's, neither is there.
 *
 * @param before what it was, in words; {@code null} for nothing
 * @param after what it is; {@code null} for nothing
 */
public record Change(String field, @Nullable String before, @Nullable String after) {}
