package dev.ebb.db.errors;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** Forgets a group at once when its last dead letter has lost the name that the group has. */
public final class EmptyGroups {
  private static final String LOCK =
      """
      select pg_advisory_xact_lock(6644324, 0)
      """;

  private static final String FORGET =
      """
      delete from ebb.error_group g
      where g.id = ?
        and g.acknowledged_at is null and g.assignee is null and g.note is null
        and not exists (select from ebb.dead_letter d where d.error_group = g.id)
      """;

  private EmptyGroups() {}

  /**
   * Waits for a batch that is being grouped, and keeps others from grouping until the transaction
   * ends: who groups a dead letter has read its name before.
   */
  public static void lock(Connection connection) throws SQLException {
    Statements.run(connection, LOCK, _ -> {});
  }

  /** Deletes the group, under the lock, unless it has dead letters or somebody marked it. */
  public static void forget(Connection connection, UUID group) throws SQLException {
    Statements.update(connection, FORGET, p -> p.id(group));
  }
}
