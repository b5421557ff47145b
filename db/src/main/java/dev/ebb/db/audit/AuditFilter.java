package dev.ebb.db.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which entries to list; {@code null} for all.
 *
 * @param action the whole word, or its part before the point
 * @param from the earliest time
 * @param to the exclusive end
 * @param before only entries with smaller ids
 */
public record AuditFilter(
    @Nullable String actor,
    @Nullable String action,
    @Nullable String subject,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable UUID before) {

  /** What was done to one thing of a sort, such as {@code job}. */
  public static AuditFilter of(String sort, String subject, @Nullable UUID before) {
    return new AuditFilter(null, sort, subject, null, null, before);
  }

  UUID leastId() {
    return from == null ? new UUID(0, 0) : firstId(from);
  }

  UUID endId() {
    return to == null ? new UUID(-1, -1) : firstId(to);
  }

  UUID beforeId() {
    return before == null ? new UUID(-1, -1) : before;
  }

  /** The least id of entries from that time on: the first 48 bits of an id are milliseconds. */
  private static UUID firstId(Instant since) {
    long millis = since.plusNanos(999_999).toEpochMilli();
    return new UUID(Math.max(0, millis) << 16, 0);
  }
}
