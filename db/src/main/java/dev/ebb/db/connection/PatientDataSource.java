package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The driver's connections; a server that does not give one is asked again four times a second.
 *
 * <p>The pool would try again by itself, but with pauses that grow to five seconds: so long it
 * would not notice that the server is back.
 */
final class PatientDataSource extends PGSimpleDataSource implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Servers servers;
  private volatile @Nullable SQLException failure;
  private volatile boolean isClosed;

  PatientDataSource(Servers servers) {
    this.servers = servers;
  }

  @Override
  public Connection getConnection() throws SQLException {
    long start = System.nanoTime();
    while (true) {
      try {
        Connection connection = servers.connect();
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
}
