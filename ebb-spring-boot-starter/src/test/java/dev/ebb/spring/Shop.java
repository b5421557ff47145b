package dev.ebb.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** An application's database, which has Ebb's schema beside a table of payments. */
final class Shop {
  final DatabaseConfig config = TestPostgres.shared().newDatabase();

  Shop() {
    execute("create table payment (id text primary key)");
  }

  /** An application's pool, to be closed. */
  HikariDataSource pool() {
    return pool(config, true);
  }

  static HikariDataSource pool(DatabaseConfig config, boolean commits) {
    HikariConfig hikari = new HikariConfig();
    hikari.setJdbcUrl(config.url());
    hikari.setUsername(config.user());
    hikari.setPassword(config.password());
    hikari.setMaximumPoolSize(4);
    hikari.setMinimumIdle(0);
    hikari.setAutoCommit(commits);
    return new HikariDataSource(hikari);
  }

  void execute(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  int number(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
