package dev.ebb.cron;

import dev.ebb.db.connection.Database;
import java.sql.Connection;
import java.sql.SQLException;
import org.quartz.utils.ConnectionProvider;

/** Gives Quartz connections of the node's pool, which stays its owner's. */
final class DatabaseConnections implements ConnectionProvider {
  private final Database database;

  DatabaseConnections(Database database) {
    this.database = database;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return database.connection();
  }

  @Override
  public void initialize() {}

  @Override
  public void shutdown() {}
}
