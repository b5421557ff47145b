package dev.ebb.db.submit;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;

/** What bare JDBC makes of the leanest table for jobs: the yardstick of the submit. */
final class BareSubmit implements AutoCloseable {
  private static final String TABLE =
      """
      create table bare_job (
        id           bigint generated always as identity primary key,
        run_at       timestamptz not null default now(),
        attempt      integer not null default 0,
        max_attempts integer not null default 16,
        priority     smallint not null,
        state        smallint not null default 0,
        queue        text not null,
        kind         text not null,
        payload      text not null
      );
      create index on bare_job (queue, priority, run_at, id) where state = 0;
      """;

  private static final String ONE =
      """
      insert into bare_job (queue, kind, priority, payload) values (?, ?, ?, ?)
      """;

  private static final String MANY =
      """
      insert into bare_job (queue, kind, priority, payload)
      select * from unnest(?::text[], ?::text[], ?::smallint[], ?::text[])
      """;

  private final String payload;
  private final List<Connection> connections = new ArrayList<>();

  BareSubmit(DatabaseConfig config, int connections, String payload) throws SQLException {
    this.payload = payload;
    for (int i = 0; i < connections; i++) {
      this.connections.add(TestPostgres.connect(config));
    }
    try (Statement statement = this.connections.getFirst().createStatement()) {
      statement.execute(TABLE);
    }
  }

  /** One insert, one transaction, on one of the connections. */
  void one(int connection) throws SQLException {
    try (PreparedStatement statement = connections.get(connection).prepareStatement(ONE)) {
      statement.setString(1, "default");
      statement.setString(2, "echo");
      statement.setInt(3, 5);
      statement.setString(4, payload);
      statement.executeUpdate();
    }
  }

  /** One insert of many rows by binary arrays. */
  void many(int jobs) throws SQLException {
    Connection connection = connections.getFirst();
    short[] priorities = new short[jobs];
    Arrays.fill(priorities, (short) 5);
    try (PreparedStatement statement = connection.prepareStatement(MANY)) {
      statement.setArray(1, connection.createArrayOf("text", filled(jobs, "default")));
      statement.setArray(2, connection.createArrayOf("text", filled(jobs, "echo")));
      statement.setArray(
          3, connection.unwrap(PGConnection.class).createArrayOf("smallint", priorities));
      statement.setArray(4, connection.createArrayOf("text", filled(jobs, payload)));
      statement.executeUpdate();
    }
  }

  private static String[] filled(int length, String value) {
    String[] values = new String[length];
    Arrays.fill(values, value);
    return values;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
