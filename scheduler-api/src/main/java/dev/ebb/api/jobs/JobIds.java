package dev.ebb.api.jobs;

import dev.ebb.api.problem.Refusal;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Job ids in requests: a UUID in its one canonical form. */
final class JobIds {
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private JobIds() {}

  /** The id in a path. */
  static UUID parse(String id) {
    return read(id).orElseThrow(() -> Refusal.parameter("id", "must be a UUID"));
  }

  /** The id that is a list's cursor: that of the last job that was shown. */
  static UUID cursor(String cursor) {
    return read(cursor).orElseThrow(Refusal::unknownCursor);
  }

  private static Optional<UUID> read(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }
}
