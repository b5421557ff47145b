package dev.ebb.api.schedules;

import dev.ebb.api.problem.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Where a list of fires goes on: the time of the last one that was shown, in microseconds. */
final class FireCursor {
  private FireCursor() {}

  static @Nullable String write(@Nullable Instant next) {
    return next == null ? null : Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, next));
  }

  static @Nullable Instant read(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    if (!cursor.matches("\\d{1,18}")) {
      throw Refusal.unknownCursor();
    }
    return Instant.EPOCH.plus(Long.parseLong(cursor), ChronoUnit.MICROS);
  }
}
