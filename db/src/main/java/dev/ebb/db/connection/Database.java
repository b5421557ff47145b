package dev.ebb.db.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/** The pool of connections, with a limit on everything that could wait for ever. */
public final class Database implements AutoCloseable {
  /**
   * How long a transaction may wait for its client. The engine's own transactions never do: such a
   * client froze or is gone, while others wait for its locks.
   */
  public static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(1);

  /**
   * How long anybody waits for a connection. One that takes longer to be made is made all the same,
   * and is there for the next caller.
   */
  private static final Duration PATIENCE = Duration.ofMillis(2500);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LEAST_TCP = Duration.ofSeconds(2);

  private final DatabaseConfig config;
  private final PatientDataSource source;
  private final HikariDataSource pool;

  private Database(DatabaseConfig config, PatientDataSource source, HikariDataSource pool) {
    this.config = config;
    this.source = source;
    this.pool = pool;
  }

  /** Opens the pool; the database need not answer yet. */
  public static Database open(DatabaseConfig config) {
    return open(config, "ebb");
  }

  /** The same with a name, by which metrics tell the pools of a process apart. */
  public static Database open(DatabaseConfig config, String name) {
    PatientDataSource source = new PatientDataSource(config.url(), () -> properties(config));
    HikariConfig hikari = new HikariConfig();
    hikari.setPoolName(name);
    hikari.setDataSource(source);
    hikari.setMaximumPoolSize(config.poolSize());
    hikari.setMinimumIdle(1);
    hikari.setConnectionTimeout(PATIENCE.toMillis());
    hikari.setValidationTimeout(Duration.ofSeconds(2).toMillis());
    hikari.setKeepaliveTime(Duration.ofMinutes(1).toMillis());
    hikari.setMaxLifetime(Duration.ofMinutes(15).toMillis());
    // Negative: a node that starts before its database waits for it, as it does after an outage.
    hikari.setInitializationFailTimeout(-1);
    // The pool would ask its first connection, and make none ever again if that one broke
    // meanwhile.
    hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    hikari.setExceptionOverrideClassName(ReadOnlyEviction.class.getName());
    return new Database(config, source, new HikariDataSource(hikari));
  }

  /** Read for each connection, as the password may have changed. */
  private static Properties properties(DatabaseConfig config) throws SQLException {
    long statementMillis = config.statementTimeout().toMillis();
    Properties properties = new Properties();
    if (config.user() != null) {
      properties.setProperty("user", config.user());
    }
    String password = config.currentPassword();
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("ApplicationName", "ebb");
    properties.setProperty("connectTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("loginTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(statementMillis / 1000 + 3));
    properties.setProperty("tcpKeepAlive", "true");
    // A name or a proxy may lead to a standby for a while; what stands in the URL has precedence.
    properties.setProperty("targetServerType", "primary");
    if (config.pooler()) {
      properties.setProperty("prepareThreshold", "0");
    } else {
      properties.setProperty("options", sessionSettings(config));
    }
    return properties;
  }

  /**
   * Sent with the connection's start, so that they cost no statement. A client that froze while it
   * was being answered has no timeout but TCP's: until then its claim would keep the queue's lock.
   * A plan that was cached while the tables were empty must not scan them when they hold a million
   * rows; behind a pooler, where nobody can say so here, no plan is cached.
   */
  private static String sessionSettings(DatabaseConfig config) {
    long statementMillis = config.statementTimeout().toMillis();
    return String.join(
        " ",
        "-c statement_timeout=" + statementMillis,
        "-c lock_timeout=" + statementMillis,
        "-c idle_in_transaction_session_timeout=" + IDLE_IN_TRANSACTION.toMillis(),
        "-c transaction_timeout=" + 3 * statementMillis,
        "-c tcp_user_timeout=" + tcpTimeout(config).toMillis(),
        "-c synchronous_commit=on",
        "-c enable_seqscan=off",
        "-c default_transaction_isolation=read\\ committed");
  }

  /**
   * How long the server waits for a client to take what it is sent: less than others wait for a
   * lock meanwhile, and more than a lost packet takes.
   */
  public static Duration tcpTimeout(DatabaseConfig config) {
    Duration half = config.statementTimeout().dividedBy(2);
    return half.compareTo(LEAST_TCP) < 0 ? LEAST_TCP : half;
  }

  /** Shows in the metrics how many connections there are, and for how long callers wait for one. */
  public void meter(MeterRegistry registry) {
    pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
  }

  /**
   * A connection in autocommit, to be closed by the caller.
   *
   * @throws SQLTransientConnectionException if none came free in time, or the server gives none;
   *     then with its reason
   */
  public Connection connection() throws SQLException {
    try {
      return pool.getConnection();
    } catch (SQLTransientConnectionException e) {
      SQLException reason = source.failure();
      throw reason == null ? e : notGiven(reason);
    }
  }

  private static SQLTransientConnectionException notGiven(SQLException reason) {
    String words = words(reason);
    return words == null
        ? new SQLTransientConnectionException(reason.getMessage(), reason.getSQLState(), reason)
        : new SQLTransientConnectionException(words, reason.getSQLState());
  }

  /** Why, and what to do, where the server's or the driver's words do not tell. */
  private static @Nullable String words(SQLException reason) {
    String said = String.valueOf(reason.getMessage());
    if (said.contains("\"TimeZone\"")) {
      // The driver sends the JVM's zone with the connection's start, and cannot be told not to.
      return "the server does not know this JVM's time zone, "
          + TimeZone.getDefault().getID()
          + ": start it with -Duser.timezone=UTC";
    }
    return said.contains("targetServerType")
        ? "every server at this address is a standby, which takes no writes:"
            + " connect to the primary, or promote a standby"
        : null;
  }

  /** Work on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Does the work; each of its statements is a transaction. */
  public <T> T inAutocommit(Work<T> work) throws SQLException {
    try (Connection connection = connection()) {
      return work.on(connection);
    }
  }

  /** Commits what the work wrote; when it throws, the pool rolls all of it back. */
  public <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection connection = connection()) {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      return result;
    }
  }

  /**
   * A connection of its own beside the pool, for a listener or a notifier.
   *
   * @throws SQLTransientConnectionException if the server gives none, with its reason
   */
  public Connection dedicatedConnection() throws SQLException {
    try {
      return DriverManager.getConnection(config.url(), properties(config));
    } catch (SQLException refused) {
      throw notGiven(refused);
    }
  }

  public DatabaseConfig config() {
    return config;
  }

  @Override
  public void close() {
    source.close();
    pool.close();
  }
}
