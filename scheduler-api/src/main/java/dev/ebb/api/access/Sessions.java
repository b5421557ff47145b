package dev.ebb.api.access;

import dev.ebb.db.access.SessionKeys;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Begins sessions, and tells those that hold, at any node that shares the database. None has to
 * remember a session: its cookie says all, sealed by a key that all of them read.
 */
final class Sessions {
  /** How long a session lasts: one sign-in for a day's work. */
  static final Duration LENGTH = Duration.ofHours(12);

  /** Whoever makes up a key's number has the keys read anew no more often. */
  private static final Duration UNKNOWN = Duration.ofMillis(500);

  private final SessionKeys keys;
  private final InstantSource clock;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile List<SessionKeys.Key> known = List.of();
  private long readNanos = System.nanoTime() - UNKNOWN.toNanos();

  Sessions(SessionKeys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * The value of the cookie of a new session.
   *
   * @param token its id
   * @param expiresAt when the token does; {@code null} for never
   */
  String begin(String token, String hash, @Nullable Instant expiresAt) throws SQLException {
    Instant end = clock.instant().plus(LENGTH);
    SessionKeys.Key key = keys.newest();
    return SessionSeal.of(
            key.id(),
            key.secret(),
            token,
            hash,
            expiresAt == null || expiresAt.isAfter(end) ? end : expiresAt)
        .text();
  }

  /**
   * Whether the session holds for the token of that hash.
   *
   * @throws SQLException if its key is not known, and cannot be read now
   */
  boolean isLive(SessionSeal session, String hash) throws SQLException {
    SessionKeys.Key key = session.hasEnded(clock.instant()) ? null : key(session.key());
    return key != null && session.isOf(key.secret(), hash);
  }

  private SessionKeys.@Nullable Key key(int id) throws SQLException {
    SessionKeys.Key key = among(known, id);
    if (key != null) {
      return key;
    }
    reading.lock();
    try {
      if (System.nanoTime() - readNanos >= UNKNOWN.toNanos()) {
        known = keys.live();
        readNanos = System.nanoTime();
      }
      return among(known, id);
    } finally {
      reading.unlock();
    }
  }

  private static SessionKeys.@Nullable Key among(List<SessionKeys.Key> keys, int id) {
    return keys.stream().filter(key -> key.id() == id).findFirst().orElse(null);
  }
}
