package dev.ebb.db.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statements of the last release, as they stand in its folder of the test's resources. */
final class LastRelease {
  private static final Map<Class<?>, String> ARRAYS =
      Map.of(
          String[].class, "text",
          UUID[].class, "uuid",
          Short[].class, "int2",
          Integer[].class, "int4",
          Long[].class, "int8",
          Boolean[].class, "bool");

  private final Connection connection;

  LastRelease(Connection connection) {
    this.connection = connection;
  }

  /** The names of all its statements. */
  static List<String> verbs() {
    try (Stream<Path> files =
        Files.list(Path.of(LastRelease.class.getResource("last-release").toURI()))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".sql"))
          .map(name -> name.replace(".sql", ""))
          .sorted()
          .toList();
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sql(String verb) {
    try (InputStream file =
        LastRelease.class.getResourceAsStream("last-release/" + verb + ".sql")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has the server read the statement: every table and column must be there. */
  void describe(String verb) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql(verb))) {
      statement.getParameterMetaData();
    }
  }

  /** Runs the statement, and answers the rows of its last query. */
  List<List<@Nullable Object>> run(String verb, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql(verb))) {
      for (int i = 0; i < parameters.length; i++) {
        bind(statement, i + 1, parameters[i]);
      }
      boolean hasRows = statement.execute();
      List<List<@Nullable Object>> rows = List.of();
      while (hasRows || statement.getUpdateCount() >= 0) {
        rows = hasRows ? rows(statement.getResultSet()) : rows;
        hasRows = statement.getMoreResults();
      }
      return rows;
    }
  }

  private void bind(PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException {
    String type = value == null ? null : ARRAYS.get(value.getClass());
    if (type == null) {
      statement.setObject(place, value);
    } else {
      statement.setArray(place, connection.createArrayOf(type, (Object[]) value));
    }
  }

  private static List<List<@Nullable Object>> rows(ResultSet result) throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    while (result.next()) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        row.add(result.getObject(i));
      }
      rows.add(row);
    }
    return rows;
  }
}
