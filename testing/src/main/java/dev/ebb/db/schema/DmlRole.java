package dev.ebb.db.schema;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A migrated database under the roles that compose makes. Once in a process: the roles are the
 * server's.
 *
 * @param owner which owns the schema
 * @param node which reads and writes rows, and owns nothing
 */
public record DmlRole(DatabaseConfig owner, DatabaseConfig node) {
  private static final Path ROLES = Path.of("../docker/postgres/10-roles.sql");

  /** Makes the roles and the database. */
  public static DmlRole create() throws IOException, SQLException {
    DmlRole roles = in(TestPostgres.shared().newBareDatabase());
    Migrations.migrate(roles.owner);
    return roles;
  }

  /** Makes the roles, of a database that is still empty. */
  public static DmlRole in(DatabaseConfig superuser) throws IOException, SQLException {
    execute(superuser, Files.readString(ROLES));
    execute(superuser, "alter role ebb_owner password 'o'; alter role ebb password 'n'");
    return new DmlRole(
        DatabaseConfig.of(superuser.url(), "ebb_owner", "o"),
        DatabaseConfig.of(superuser.url(), "ebb", "n"));
  }

  static void execute(DatabaseConfig config, String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
