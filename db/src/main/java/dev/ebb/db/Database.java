package dev.ebb.db;

import java.sql.Connection;
import java.sql.SQLException;

/** The pool of connections, with a limit on everything that could wait for ever. */
public final class Database implements AutoCloseable {
  /** Opens the pool; no connection is made before the first is asked for. */
  public static Database open(DatabaseConfig config) {
    throw new AssertionError();
  }

  /** A connection in autocommit, to be closed by the caller. */
  public Connection connection() throws SQLException {
    throw new AssertionError();
  }

  public DatabaseConfig config() {
    throw new AssertionError();
  }

  @Override
  public void close() {}
}
