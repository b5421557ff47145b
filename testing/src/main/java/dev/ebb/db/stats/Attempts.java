package dev.ebb.db.stats;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Jobs of a database whose attempts are not what they must be. */
public final class Attempts {
  private static final String EVERY =
      """
      with every as (
        select job_id as id, number from ebb.attempt where outcome <> 'released'
        union all
        select id, attempt from ebb.history
      )
      """;

  private static final String SETTLED_TWICE =
      EVERY + "select id from every group by id, number having count(*) > 1";

  private static final String MISNUMBERED =
      EVERY + "select id from every group by id having min(number) <> 1 or max(number) <> count(*)";

  private Attempts() {}

  /** The jobs of which an attempt was settled more than once. */
  public static List<UUID> settledTwice(DatabaseConfig config) throws SQLException {
    return ids(config, SETTLED_TWICE);
  }

  /** The jobs whose attempts are not numbered 1, 2, 3 and so on. */
  public static List<UUID> misnumbered(DatabaseConfig config) throws SQLException {
    return ids(config, MISNUMBERED);
  }

  /** The ids that a query answers. */
  public static List<UUID> ids(DatabaseConfig config, String sql) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getObject(1, UUID.class));
      }
    }
    return ids;
  }
}
