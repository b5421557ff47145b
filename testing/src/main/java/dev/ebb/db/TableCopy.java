package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What a dump is where there is no pg_dump: all rows of one snapshot, without the sequences. */
final class TableCopy {
  // Of a partitioned table, its root: rows find their partitions.
  private static final String TABLES =
      """
      select c.oid::regclass::text as name,
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relnamespace = 'ebb'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname <> 'flyway_schema_history'
      group by c.oid
      """;

  private TableCopy() {}

  private record Table(String name, String columns) {}

  /** Writes a file for each table. */
  static void take(DatabaseConfig from, Path folder) {
    inTransaction(
        from,
        connection -> {
          execute(connection, "set transaction isolation level repeatable read");
          for (Table table : tables(connection)) {
            String sql = "copy (select %s from %s) to stdout".formatted(table.columns, table.name);
            try (OutputStream file = Files.newOutputStream(folder.resolve(table.name))) {
              copy(connection).copyOut(sql, file);
            }
          }
        });
  }

  /** Puts them in the place of all rows of a schema of the same version. */
  static void put(Path folder, DatabaseConfig to) {
    inTransaction(
        to,
        connection -> {
          // No trigger, and no order in which tables refer to each other.
          execute(connection, "set local session_replication_role = replica");
          for (Table table : tables(connection)) {
            execute(connection, "delete from " + table.name);
          }
          for (Table table : tables(connection)) {
            String sql = "copy %s (%s) from stdin".formatted(table.name, table.columns);
            try (InputStream file = Files.newInputStream(folder.resolve(table.name))) {
              copy(connection).copyIn(sql, file);
            }
          }
        });
  }

  @FunctionalInterface
  private interface Work {
    void on(Connection connection) throws SQLException, IOException;
  }

  private static void inTransaction(DatabaseConfig database, Work work) {
    try (Connection connection = TestPostgres.connect(database)) {
      connection.setAutoCommit(false);
      work.on(connection);
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CopyManager copy(Connection connection) throws SQLException {
    return new CopyManager(connection.unwrap(BaseConnection.class));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<Table> tables(Connection connection) throws SQLException {
    List<Table> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        tables.add(new Table(rows.getString("name"), rows.getString("columns")));
      }
    }
    return tables;
  }
}
