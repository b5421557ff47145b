package dev.ebb.db.connection;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is, and how long anything may wait for it.
 *
 * @param url {@code jdbc:postgresql://host:port/database}, with no user or password before the host
 * @param poolSize connections at most, 2 to 200
 * @param pooler whether Ebb connects through a transaction-pooling proxy: then nothing is set or
 *     prepared per session, no notification arrives, and the limits below must be set by {@code
 *     alter role}
 * @param statementTimeout the longest that a statement may take, 100 ms to 10 minutes; a
 *     transaction may take three times as long, and a silent socket is given up a little later than
 *     a statement
 */
public record DatabaseConfig(
    String url,
    @Nullable String user,
    @Nullable String password,
    int poolSize,
    boolean pooler,
    Duration statementTimeout) {

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  public DatabaseConfig {
    require(
        url.startsWith("jdbc:postgresql:"),
        "url",
        "must start with jdbc:postgresql: and name a database");
    // The driver would take user and password for a part of the host, and name it in its errors.
    require(
        !url.matches("jdbc:postgresql:(//)?[^/]*@.*"),
        "url",
        "must have no @ before its host: user and password are given beside it");
    require(poolSize >= 2 && poolSize <= 200, "poolSize", "must be between 2 and 200");
    requireBetween(statementTimeout, SHORTEST, LONGEST, "statementTimeout");
  }

  /** The defaults for a database: eight connections, no proxy, five seconds. */
  public static DatabaseConfig of(String url, @Nullable String user, @Nullable String password) {
    return new DatabaseConfig(url, user, password, 8, false, Duration.ofSeconds(5));
  }

  /** The same with another number of connections. */
  public DatabaseConfig withPoolSize(int poolSize) {
    return new DatabaseConfig(url, user, password, poolSize, pooler, statementTimeout);
  }

  /** The same whose statements may take another time. */
  public DatabaseConfig withStatementTimeout(Duration statementTimeout) {
    return new DatabaseConfig(url, user, password, poolSize, pooler, statementTimeout);
  }

  /** The same behind a transaction-pooling proxy. */
  public DatabaseConfig behindPooler() {
    return new DatabaseConfig(url, user, password, poolSize, true, statementTimeout);
  }

  /** Hosts, ports and database, for people; the rest of the URL may be secret. */
  public String address() {
    return url.replaceFirst("jdbc:postgresql:/*", "").replaceFirst("\\?.*", "");
  }

  /** Without the password, so that it can be logged. */
  @Override
  public String toString() {
    return "DatabaseConfig[address=%s, user=%s, poolSize=%s, pooler=%s, statementTimeout=%s]"
        .formatted(address(), user, poolSize, pooler, statementTimeout);
  }
}
