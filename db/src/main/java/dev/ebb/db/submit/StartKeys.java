package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The idempotency keys of requests that start one thing which is no job. */
public final class StartKeys {
  // Nobody waits for a key.
  private static final String LOCK =
      """
      select pg_try_advisory_xact_lock(?)
      """;

  private static final String LOOK =
      """
      select fingerprint, created_at, job_ids[1] as id
      from ebb.idempotency
      where key = ?
        and created_at > now() - interval '24 hours'
      limit 1
      """;

  private static final String KEEP =
      """
      insert into ebb.idempotency (key, fingerprint, job_ids, run_at, max_attempts)
      values (?, ?, array[?::uuid], array[null::timestamptz], array[null::integer])
      """;

  private StartKeys() {}

  /**
   * What an earlier request with the key started.
   *
   * @param repeated whether that was the same request
   */
  public record Used(UUID id, Instant at, boolean repeated) {}

  /**
   * Takes the key for this transaction; false if another one has it. A look that follows sees what
   * its last holder committed.
   */
  public static boolean lock(Connection connection, IdempotencyKey key) throws SQLException {
    return Statements.one(
        connection, LOCK, p -> p.bigint(KnownKeys.lock(key)), row -> row.getBoolean(1));
  }

  /** What the key stands for; {@code null} if it is new. */
  public static @Nullable Used look(Connection connection, IdempotencyKey key) throws SQLException {
    return Statements.first(connection, LOOK, p -> p.id(key.id()), row -> used(row, key));
  }

  private static Used used(ResultSet row, IdempotencyKey key) throws SQLException {
    return new Used(
        row.getObject("id", UUID.class),
        Rows.instant(row, "created_at"),
        key.fingerprint().equals(row.getObject("fingerprint", UUID.class)));
  }

  /** Has the key stand for what was started, as long as keys are kept. */
  public static void keep(Connection connection, IdempotencyKey key, UUID started)
      throws SQLException {
    Statements.update(connection, KEEP, p -> p.id(key.id()).id(key.fingerprint()).id(started));
  }
}
