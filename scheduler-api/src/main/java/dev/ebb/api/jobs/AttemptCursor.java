package dev.ebb.api.jobs;

import dev.ebb.api.problem.Refusal;
import dev.ebb.db.view.AttemptPage.Position;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a list of attempts goes on: when the last one that was shown started and ended, in
 * microseconds since 1970, in base64url. It says nothing about the job, and is none of its secrets.
 */
final class AttemptCursor {
  private static final long RUNNING = Long.MAX_VALUE;

  private AttemptCursor() {}

  static @Nullable String write(@Nullable Position position) {
    if (position == null) {
      return null;
    }
    Instant ended = position.endedAt();
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(micros(position.startedAt()))
            .putLong(ended == null ? RUNNING : micros(ended))
            .array();
    return Cursor.encode(bytes);
  }

  static @Nullable Position read(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Cursor.decode(cursor, 2 * Long.BYTES));
    long started = bytes.getLong();
    long ended = bytes.getLong();
    if (started < 0 || ended < 0 || started == RUNNING) {
      throw Refusal.unknownCursor();
    }
    return new Position(instant(started), ended == RUNNING ? null : instant(ended));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
