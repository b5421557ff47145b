package dev.ebb.db.access;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The right of a database role to call functions of the schema, and to do nothing else. */
public final class FunctionGrant {
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
            where p.pronamespace = n.oid and p.proname = any (?)))
      from pg_roles r
      join pg_namespace n on n.nspname = 'ebb'
      where r.rolname = ?
      """;

  private FunctionGrant() {}

  /** What a role may be let do. */
  public enum Right {
    /** To submit jobs in its own transactions. */
    SUBMIT,
    /** To read what to scale workers on. */
    DEMAND;

    /** The functions that it is to call. */
    public List<String> functions() {
      return switch (this) {
        case SUBMIT -> List.of("submit", "submit_many", "contract");
        case DEMAND -> List.of("demand");
      };
    }
  }

  /** What became of it. */
  public enum Result {
    DONE,
    NO_ROLE,
    /** PostgreSQL answers others with a warning alone. */
    NOT_OWNER
  }

  private record Grants(boolean byOwner, String statements) {}

  /** Gives the role the right, if it is there. */
  public static Result grant(Database database, Right right, String role) throws SQLException {
    return database.inTransaction(connection -> grant(connection, right, role));
  }

  private static Result grant(Connection connection, Right right, String role) throws SQLException {
    Grants grants =
        Statements.first(
            connection,
            GRANTS,
            p -> p.texts(right.functions()).text(role),
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
