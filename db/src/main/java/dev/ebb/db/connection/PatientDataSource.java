package dev.ebb.db.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The driver's connections; a server that does not give one is asked again four times a second.
 *
 * <p>The pool would try again by itself, but with pauses that grow to five seconds: so long it
 * would not notice that the server is back.
 */
final class PatientDataSource implements DataSource, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final String url;
  private final Properties properties;
  private volatile @Nullable SQLException failure;
  private volatile boolean isClosed;
  private volatile int loginTimeout;

  PatientDataSource(String url, Properties properties) {
    this.url = url;
    this.properties = properties;
  }

  @Override
  public Connection getConnection() throws SQLException {
    long start = System.nanoTime();
    while (true) {
      try {
        Connection connection = DriverManager.getConnection(url, properties);
        failure = null;
        return connection;
      } catch (SQLException e) {
        failure = e;
        if (isClosed || System.nanoTime() - start > PATIENCE.toNanos()) {
          throw e;
        }
        pause(e);
      }
    }
  }

  /** Why the last try gave no connection; {@code null} if it gave one. */
  @Nullable SQLException failure() {
    return failure;
  }

  private static void pause(SQLException why) throws SQLException {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw why;
    }
  }

  /** Stops waiting for the server. */
  @Override
  public void close() {
    isClosed = true;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the user is given in the configuration");
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeout;
  }

  /** How long the pool waits, when it is closed, for a connection that is being made. */
  @Override
  public void setLoginTimeout(int seconds) {
    loginTimeout = seconds;
  }

  @Override
  public PrintWriter getLogWriter() {
    return DriverManager.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter writer) {}

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("it wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
