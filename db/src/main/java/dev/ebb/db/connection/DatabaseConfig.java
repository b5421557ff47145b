package dev.ebb.db.connection;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is, and how long anything may wait for it.
 *
 * @param url {@code jdbc:postgresql://host:port/database}, with no user or password before the host
 * @param password unless a file has it
 * @param passwordFile whose first line is the password; it is read for each new connection, so that
 *     a password can be changed under a running node
 * @param poolSize connections at most, 2 to 200
 * @param pooler whether Ebb connects through a transaction-pooling proxy: then nothing is set or
 *     prepared per session, no notification arrives, and the limits below must be set by {@code
 *     alter role}
 * @param statementTimeout the longest that a statement may take, 100 ms to 10 minutes; a
 *     transaction may take three times as long, and a silent socket is given up a little later than
 *     a statement
 * @param memory a folder where it is kept which database was seen; {@code null} to forget it at the
 *     end of the process
 */
public record DatabaseConfig(
    String url,
    @Nullable String user,
    @Nullable String password,
    @Nullable Path passwordFile,
    int poolSize,
    boolean pooler,
    Duration statementTimeout,
    @Nullable Path memory) {

  /**
   * How long a transaction may wait for its client. The engine's own transactions never do: such a
   * client froze or is gone, while others wait for its locks.
   */
  public static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(2);

  private static final Duration LEAST_TCP = Duration.ofSeconds(2);
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
    requireBetween(poolSize, 2, 200, "poolSize");
    requireBetween(statementTimeout, SHORTEST, LONGEST, "statementTimeout");
  }

  /** The defaults for a database: eight connections, no proxy, five seconds. */
  public static DatabaseConfig of(String url, @Nullable String user, @Nullable String password) {
    return new DatabaseConfig(url, user, password, null, 8, false, Duration.ofSeconds(5), null);
  }

  /** The same at another URL. */
  public DatabaseConfig withUrl(String url) {
    return new DatabaseConfig(
        url, user, password, passwordFile, poolSize, pooler, statementTimeout, memory);
  }

  /** The same whose password stands in the first line of a file. */
  public DatabaseConfig withPasswordFile(Path file) {
    return new DatabaseConfig(url, user, null, file, poolSize, pooler, statementTimeout, memory);
  }

  /** The same with another number of connections. */
  public DatabaseConfig withPoolSize(int poolSize) {
    return new DatabaseConfig(
        url, user, password, passwordFile, poolSize, pooler, statementTimeout, memory);
  }

  /** The same whose statements may take another time. */
  public DatabaseConfig withStatementTimeout(Duration statementTimeout) {
    return new DatabaseConfig(
        url, user, password, passwordFile, poolSize, pooler, statementTimeout, memory);
  }

  /** The same behind a transaction-pooling proxy. */
  public DatabaseConfig behindPooler() {
    return new DatabaseConfig(
        url, user, password, passwordFile, poolSize, true, statementTimeout, memory);
  }

  /** The same that keeps in a folder which database was seen. */
  public DatabaseConfig withMemory(Path memory) {
    return new DatabaseConfig(
        url, user, password, passwordFile, poolSize, pooler, statementTimeout, memory);
  }

  /**
   * The password that a connection is made with now.
   *
   * @throws SQLException of class 28 if its file cannot be read, which may pass: a secret is
   *     replaced while nodes run
   */
  public @Nullable String currentPassword() throws SQLException {
    if (passwordFile == null) {
      return password;
    }
    try (Stream<String> lines = Files.lines(passwordFile)) {
      return lines.findFirst().orElse("");
    } catch (IOException | UncheckedIOException unreadable) {
      throw new SQLException(
          "the password's file " + passwordFile + " cannot be read", "28000", unreadable);
    }
  }

  /**
   * How long the server waits for a client to take what it is sent: less than others wait for a
   * lock meanwhile, and more than a lost packet takes.
   */
  public Duration tcpTimeout() {
    Duration half = statementTimeout.dividedBy(2);
    return half.compareTo(LEAST_TCP) < 0 ? LEAST_TCP : half;
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
