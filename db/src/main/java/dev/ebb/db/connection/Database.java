package dev.ebb.db.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/** The pool of connections, with a limit on everything that could wait for ever. */
public final class Database implements AutoCloseable {
  /**
   * How long anybody waits for a connection. One that takes longer to be made is made all the same,
   * and is there for the next caller.
   */
  private static final Duration PATIENCE = Duration.ofMillis(2500);

  private static final String REFUSING = "ebb.database.refusing";

  private final DatabaseConfig config;
  private final Servers servers;
  private final Storing storing;
  private final PatientDataSource source;
  private final HikariDataSource pool;

  private Database(
      DatabaseConfig config,
      Servers servers,
      Storing storing,
      PatientDataSource source,
      HikariDataSource pool) {
    this.config = config;
    this.servers = servers;
    this.storing = storing;
    this.source = source;
    this.pool = pool;
  }

  /** Opens the pool; the database need not answer yet. */
  public static Database open(DatabaseConfig config) {
    return open(config, "ebb");
  }

  /** The same with a name, by which metrics tell the pools of a process apart. */
  public static Database open(DatabaseConfig config, String name) {
    Servers servers = new Servers(config, KnownIdentity.of(config.address(), config.memory()));
    return open(config, servers, new Storing(), name);
  }

  /** Another pool for the same database, with a name of its own; both know what either learns. */
  public Database sibling(String name) {
    return open(config, servers, storing, name);
  }

  private static Database open(
      DatabaseConfig config, Servers servers, Storing storing, String name) {
    PatientDataSource source = new PatientDataSource(servers);
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
    HikariDataSource pool = new HikariDataSource(hikari);
    // A connection that is in use is given up when it is given back.
    servers.onMove(() -> pool.getHikariPoolMXBean().softEvictConnections());
    return new Database(config, servers, storing, source, pool);
  }

  /**
   * Shows in the metrics how many connections there are, for how long callers wait for one, and
   * whether what they write is stored.
   */
  public void meter(MeterRegistry registry) {
    // Siblings share what is shown.
    if (registry.find(REFUSING).gauge() == null) {
      Gauge.builder(REFUSING, storing, one -> one.trouble() == null ? 0 : 1)
          .description("1 while the database stores nothing of this process, else 0.")
          .register(registry);
    }
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
      return servers.connect();
    } catch (SQLException refused) {
      throw notGiven(refused);
    }
  }

  /**
   * Asks every server of the URL which of them has the database. Where it is another one than
   * before, the connections to that are given up; one that is in use, when it is given back. Ends
   * the sessions that this process has lost, and that still wait for a standby.
   */
  public void look() throws SQLException {
    servers.look();
    Identity known = servers.identity();
    if (known != null) {
      inAutocommit(connection -> {
        known.raise(connection);
        return known;
      });
    }
  }

  /** The newest identity that was seen; {@code null} where no server tells, or none was asked. */
  public @Nullable Identity identity() {
    return servers.identity();
  }

  /** What became of the writes of this process. */
  public Storing storing() {
    return storing;
  }

  /** The primaries at the URL's addresses that are not the database, as of the last look. */
  public List<Stranger> strangers() {
    return servers.strangers();
  }

  /** The same configuration, for the one server that has the database now. */
  public DatabaseConfig primary() throws SQLException {
    return config.withUrl(servers.currentUrl());
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
