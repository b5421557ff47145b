package dev.ebb.db;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is, and how long anything may wait for it.
 *
 * @param url {@code jdbc:postgresql://host:port/database}
 * @param poolSize connections at most
 * @param pooled whether a transaction-pooling proxy stands between: then nothing is set or prepared
 *     per session, no wake-up hints are heard, and the limits below belong into {@code alter role}
 * @param statementTimeout the longest a statement of the hot path may take
 */
public record DatabaseConfig(
    String url,
    @Nullable String user,
    @Nullable String password,
    int poolSize,
    boolean pooled,
    Duration statementTimeout) {

  /** The defaults for a database: eight connections, no proxy, ten seconds. */
  public static DatabaseConfig of(String url, @Nullable String user, @Nullable String password) {
    return new DatabaseConfig(url, user, password, 8, false, Duration.ofSeconds(10));
  }
}
