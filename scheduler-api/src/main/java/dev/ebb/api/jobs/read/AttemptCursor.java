package dev.ebb.api.jobs.read;

import dev.ebb.api.problem.Refusal;
import dev.ebb.db.view.AttemptPage.Position;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a list of attempts goes on: when the last one that was shown started and, unless it runs,
 * ended, in microseconds since 1970.
 */
public final class AttemptCursor {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?");

  private AttemptCursor() {}

  static @Nullable String write(@Nullable Position position) {
    if (position == null) {
      return null;
    }
    Instant ended = position.endedAt();
    return micros(position.startedAt()) + (ended == null ? "" : "-" + micros(ended));
  }

  /** The place in a list; {@code null} for its beginning. */
  public static @Nullable Position read(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    Matcher parts = FORM.matcher(cursor);
    if (!parts.matches()) {
      throw Refusal.unknownCursor();
    }
    String ended = parts.group(2);
    return new Position(instant(parts.group(1)), ended == null ? null : instant(ended));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant instant(String micros) {
    return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
  }
}
