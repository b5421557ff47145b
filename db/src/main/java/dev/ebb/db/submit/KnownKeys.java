package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of idempotency keys in a transaction that holds the locks of those in use. */
final class KnownKeys {
  /** How many at once: each lock takes a place in the server's table of locks. */
  static final int MOST = 200;

  // Nobody waits for a key. Statements of their own: the last one's snapshot must be younger than
  // the locks, or it misses what their last holders committed.
  private static final String LOOK =
      """
      select set_config('lock_timeout', ?, true);

      select pg_try_advisory_xact_lock(i.number) as locked from unnest(?::bigint[]) as i (number);

      select key, fingerprint, created_at, job_ids, run_at, max_attempts
      from ebb.idempotency
      where key = any (?)
        and created_at > now() - interval '24 hours'
      """;

  private static final String IS_KEPT =
      """
      select exists (
        select
        from ebb.idempotency
        where key = ?
          and created_at > now() - interval '24 hours')
      """;

  private static final String NAMED =
      """
      select coalesce(policies, '{}')::text
      from ebb.idempotency
      where key = ?
        and created_at > now() - interval '24 hours'
      limit 1
      """;

  private final Map<UUID, KnownKey> kept = new HashMap<>();
  private final Set<UUID> locked = new HashSet<>();

  /** A key that was used, and the answers for its jobs. */
  private record KnownKey(UUID fingerprint, Instant createdAt, List<Submitted> jobs) {}

  private KnownKeys() {}

  /** Whether something is kept of the key, without a lock. */
  static boolean isKept(Connection connection, IdempotencyKey key) throws SQLException {
    return Statements.one(connection, IS_KEPT, p -> p.id(key.id()), row -> row.getBoolean(1));
  }

  /** The stored policies that were named with the key, without a lock. */
  static Map<String, RetryPolicy> named(Connection connection, IdempotencyKey key)
      throws SQLException {
    return StoredSettings.policies(
        Statements.first(connection, NAMED, p -> p.id(key.id()), row -> row.getString(1)));
  }

  /** Locks those that nobody else has locked, and reads what is kept of all. */
  static KnownKeys look(Connection connection, List<IdempotencyKey> keys, Duration lockPatience)
      throws SQLException {
    KnownKeys known = new KnownKeys();
    try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
      Parameters parameters = Parameters.of(statement).text(Patience.setting(lockPatience));
      parameters.columns(keys).longs(KnownKeys::lock).ids(IdempotencyKey::id);
      statement.execute();
      known.readLocks(keys, Statements.nextResult(statement));
      known.readKept(Statements.nextResult(statement));
    }
    return known;
  }

  /** The number of its advisory lock, which no other use of such locks is likely to hit. */
  static long lock(IdempotencyKey key) {
    return key.id().getMostSignificantBits();
  }

  private void readLocks(List<IdempotencyKey> keys, ResultSet rows) throws SQLException {
    for (IdempotencyKey key : keys) {
      rows.next();
      if (rows.getBoolean("locked")) {
        locked.add(key.id());
      }
    }
  }

  private void readKept(ResultSet rows) throws SQLException {
    while (rows.next()) {
      Instant createdAt = Rows.instant(rows, "created_at");
      UUID fingerprint = rows.getObject("fingerprint", UUID.class);
      kept.put(
          rows.getObject("key", UUID.class),
          new KnownKey(fingerprint, createdAt, jobs(rows, createdAt)));
    }
  }

  /** A duplicate has neither run at nor attempts. */
  private static List<Submitted> jobs(ResultSet row, Instant createdAt) throws SQLException {
    UUID[] ids = (UUID[]) row.getArray("job_ids").getArray();
    @Nullable Timestamp[] runAt = (Timestamp[]) row.getArray("run_at").getArray();
    @Nullable Integer[] maxAttempts = (Integer[]) row.getArray("max_attempts").getArray();
    List<Submitted> jobs = new ArrayList<>(ids.length);
    for (int i = 0; i < ids.length; i++) {
      Timestamp due = runAt[i];
      Integer most = maxAttempts[i];
      jobs.add(
          due == null || most == null
              ? Submitted.duplicateOf(ids[i])
              : new Submitted(ids[i], new Submitted.Stored(due.toInstant(), createdAt, most)));
    }
    return jobs;
  }

  /** The answer that is already clear; {@code null} if the key is new, and locked here. */
  @Nullable SubmitAnswer answer(IdempotencyKey key) {
    KnownKey before = kept.get(key.id());
    if (before == null) {
      return locked.contains(key.id()) ? null : new SubmitAnswer.InFlight();
    }
    return before.fingerprint.equals(key.fingerprint())
        ? new SubmitAnswer.Stored(before.jobs, true)
        : new SubmitAnswer.KeyReused(before.createdAt, before.jobs.getFirst().id());
  }
}
