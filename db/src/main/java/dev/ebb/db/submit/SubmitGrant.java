package dev.ebb.db.submit;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The right to submit by SQL, and to do nothing else. */
public final class SubmitGrant {
  private static final String GRANTS =
      """
      select
        pg_has_role(n.nspowner, 'usage') as is_owner,
        format(
          'grant usage on schema ebb to %1$I; grant execute on function %2$s to %1$I',
          r.rolname,
          (
            select string_agg(p.oid::regprocedure::text, ', ' order by p.proname)
            from pg_proc p
            where p.pronamespace = n.oid and p.proname in ('submit', 'submit_many', 'contract')))
      from pg_roles r
      join pg_namespace n on n.nspname = 'ebb'
      where r.rolname = ?
      """;

  private SubmitGrant() {}

  /** What became of it. */
  public enum Result {
    DONE,
    NO_ROLE,
    /** PostgreSQL answers others with a warning alone. */
    NOT_OWNER
  }

  private record Grants(boolean byOwner, String statements) {}

  /** Lets the role submit, if it is there. */
  public static Result grant(Database database, String role) throws SQLException {
    return database.inTransaction(connection -> grant(connection, role));
  }

  private static Result grant(Connection connection, String role) throws SQLException {
    Grants grants =
        Statements.first(
            connection,
            GRANTS,
            p -> p.text(role),
            row -> new Grants(row.getBoolean(1), row.getString(2)));
    if (grants == null) {
      return Result.NO_ROLE;
    }
    if (!grants.byOwner) {
      return Result.NOT_OWNER;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(grants.statements);
    }
    return Result.DONE;
  }
}
