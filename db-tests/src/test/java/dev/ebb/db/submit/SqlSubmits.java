package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Asks the functions by which applications submit, and reads what they stored. */
final class SqlSubmits {
  private static final String ROW =
      """
      select
        to_jsonb(j) - '{id,created_at,run_at,ordering_number}'::text[]
          || jsonb_build_object(
            'due', case when run_at > '9000-01-01' then run_at::text
              else (run_at - created_at)::text end,
            'numbered', ordering_number is not null) as row
      from ebb.job j
      where j.id = ?
      """;

  private SqlSubmits() {}

  static List<UUID> ask(Bench bench, String call) throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config)) {
      return ask(connection, call);
    }
  }

  static List<UUID> ask(Connection connection, String call) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from " + call)) {
      while (rows.next()) {
        ids.add(rows.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  static String row(Bench bench, UUID id) throws SQLException {
    return first(bench, ROW, id);
  }

  static String first(Bench bench, String sql, Object... values) throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getString(1);
      }
    }
  }
}
