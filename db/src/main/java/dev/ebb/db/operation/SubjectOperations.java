package dev.ebb.db.operation;

import dev.ebb.core.operation.OperationPlan;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * The operations that look for jobs by their subject. Until they have ended, the label that tells
 * subjects stays: their later steps would find other jobs.
 */
public final class SubjectOperations {
  private static final String KEEP_LABEL =
      """
      select from ebb.settings for share
      """;

  private static final String UNFINISHED =
      """
      select *
      from ebb.operation o
      where o.state in ('running', 'paused') and o.filter like '%subject:%'
      order by o.id
      """;

  private SubjectOperations() {}

  /** Has a choice of the label wait until the operation is there to be seen. */
  static void keepLabel(Connection connection, OperationPlan plan) throws SQLException {
    if (isOne(plan)) {
      Statements.run(connection, KEEP_LABEL, _ -> {});
    }
  }

  /** The oldest that has not ended; for those who hold the lock of the settings. */
  public static Optional<UUID> unfinished(Connection connection) throws SQLException {
    return Statements.list(connection, UNFINISHED, _ -> {}, OperationRow::view).stream()
        .filter(operation -> isOne(operation.plan()))
        .map(OperationView::id)
        .findFirst();
  }

  private static boolean isOne(OperationPlan plan) {
    return plan.filter() != null && plan.requireFilter().subject() != null;
  }
}
