package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of tokens. */
public record TokenList(List<Token> items, @Nullable String nextCursor) {}
