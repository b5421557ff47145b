package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** A session of somebody else that holds a snapshot until it is closed. */
public final class OldSnapshot {
  private static final String NAME = "select set_config('application_name', ?, false)";

  private OldSnapshot() {}

  /** Opens one without a name. */
  public static Connection of(DatabaseConfig config) throws SQLException {
    return of(config, "");
  }

  /** Opens one that the server shows under this name. */
  public static Connection of(DatabaseConfig config, String application) throws SQLException {
    Connection connection = TestPostgres.connect(config);
    try (PreparedStatement name = connection.prepareStatement(NAME);
        Statement statement = connection.createStatement()) {
      name.setString(1, application);
      name.execute();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select count(*) from ebb.queue");
    }
    return connection;
  }
}
