package dev.ebb.core.query;

import dev.ebb.core.query.Condition.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * A part of a query between blanks.
 *
 * @param text as it was written
 * @param position of its first character, from 1
 * @param field empty for a free word
 * @param comparison {@code null} for a free word
 * @param value without its quotes
 */
record Token(
    String text,
    int position,
    boolean negated,
    String field,
    @Nullable Comparison comparison,
    String value) {

  InvalidQuery refused(String rule) {
    return new InvalidQuery(text, position, rule);
  }
}
