package dev.ebb.db.action;

import dev.ebb.core.InvalidInput;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The action hold. A job that is held already gets the new end and reason.
 *
 * <p>A held job becomes due at the end of its hold, which for a hold without an end is infinity:
 * claims need not know of holds, and the claim after its end takes it without anybody's help.
 */
final class HoldJobs {
  static final String HOLD =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            held_version = j.version + 1,
            held_until = t.until,
            held_reason = t.reason,
            held_run_at = %1$s,
            -- No earlier than it is due.
            run_at = greatest(t.until, %1$s)
          from available a
          cross join (
            select coalesce(?::timestamptz, 'infinity') as until, ?::text as reason
          ) t
          where j.id = a.id
            and j.version = a.version
          returning j.id, j.queue, false as requested
          """
              .formatted(AvailableJobs.DUE);

  private static final String IS_AHEAD =
      """
      select ?::timestamptz > statement_timestamp()
      """;

  private HoldJobs() {}

  static List<ActedJob> run(
      Connection connection,
      List<UUID> ids,
      List<String> queues,
      @Nullable Instant until,
      @Nullable String reason)
      throws SQLException {
    return AvailableJobs.run(connection, HOLD, ids, queues, p -> p.time(until).text(reason));
  }

  /** By the database's clock, which also ends the hold. */
  static void requireAhead(Connection connection, @Nullable Instant until) throws SQLException {
    boolean ahead =
        until == null
            || Statements.one(connection, IS_AHEAD, p -> p.time(until), row -> row.getBoolean(1));
    InvalidInput.require(ahead, "until", "must lie in the future");
  }
}
