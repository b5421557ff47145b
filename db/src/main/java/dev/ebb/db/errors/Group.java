package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What makes a group: a cause, and whose dead letters they are.
 *
 * @param subject of its dead letters; {@code null} for none
 * @param others whether it holds the subjects of its cause that found no room
 */
record Group(UUID id, Cause cause, @Nullable String subject, boolean others) {
  /** Of a group for all that found no other. */
  private static final ErrorPattern OTHER_FAILURES = new ErrorPattern("other", "other failures");

  /** What fails alike: jobs of a queue and a kind, with a pattern. */
  record Cause(String queue, String kind, ErrorPattern pattern) {}

  static Group of(Cause cause, @Nullable String subject) {
    UUID id =
        subject == null
            ? cause.pattern().group(cause.queue(), cause.kind())
            : cause.pattern().group(cause.queue(), cause.kind(), subject);
    return new Group(id, cause, subject, false);
  }

  /** The group for the subjects of this cause that find no room. */
  Group otherSubjects() {
    // No subject is empty.
    UUID id = cause.pattern().group(cause.queue(), cause.kind(), "");
    return new Group(id, cause, null, true);
  }

  /** The group for the causes of this queue and kind that find no room. */
  Group otherFailures() {
    return of(new Cause(cause.queue(), cause.kind(), OTHER_FAILURES), null);
  }
}
