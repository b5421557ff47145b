package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import dev.ebb.core.UuidText;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids in requests: a UUID in its one canonical form. */
public final class Ids {
  private Ids() {}

  /** The id; empty if the text is none. */
  public static Optional<UUID> read(String text) {
    return UuidText.matches(text) ? Optional.of(UUID.fromString(text)) : Optional.empty();
  }

  /** The id that is a list's cursor, that of the last entry looked at; {@code null} for none. */
  public static @Nullable UUID cursor(@Nullable String cursor) {
    return cursor == null ? null : read(cursor).orElseThrow(Refusal::unknownCursor);
  }
}
