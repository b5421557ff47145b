package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Ids in requests: a UUID in its one canonical form. */
public final class Ids {
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private Ids() {}

  /** The id; empty if the text is none. */
  public static Optional<UUID> read(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  /** The id that is a list's cursor, that of the last entry looked at; {@code null} for none. */
  public static @Nullable UUID cursor(@Nullable String cursor) {
    return cursor == null ? null : read(cursor).orElseThrow(Refusal::unknownCursor);
  }
}
