package dev.ebb.db.operation;

import dev.ebb.core.Durations;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Carries operations out, a step at a time: whichever is due longest. Any number of carriers may
 * work at once; each takes an operation that no other has at this instant.
 */
public final class OperationCarrier {
  /** How long to wait before an operation is looked for again, at most. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

  private static final String TAKE =
      """
      select o.*, statement_timestamp() as now
      from ebb.operation o
      where o.state = 'running'
        and (
          o.due_at <= statement_timestamp()
          -- No step waits for so long: the clock was set back.
          or o.due_at > statement_timestamp() + interval '20 minutes')
      order by o.due_at
      limit 1
      for update skip locked
      """;

  private static final String NEXT_DUE =
      """
      select
        min(o.due_at) as due,
        max(o.due_at) > statement_timestamp() + interval '20 minutes' as some_too_far,
        statement_timestamp() as now
      from ebb.operation o
      where o.state = 'running'
      """;

  private static final String PUT_OFF =
      """
      update ebb.operation o
      set due_at = statement_timestamp() + ? * interval '1 microsecond'
      where o.id = ? and o.state = 'running'
      """;

  private final Database database;

  public OperationCarrier(Database database) {
    this.database = database;
  }

  /**
   * Commits one step of one operation; empty if none is due. An operation whose step fails lets the
   * others go first.
   */
  public Optional<CarriedStep> step() throws SQLException {
    UUID[] taken = new UUID[1];
    try {
      return database.inTransaction(connection -> step(connection, taken));
    } catch (SQLException | RuntimeException e) {
      if (taken[0] != null) {
        putOff(taken[0], e);
      }
      throw e;
    }
  }

  private static Optional<CarriedStep> step(Connection connection, UUID[] taken)
      throws SQLException {
    OperationStep step =
        Statements.first(connection, TAKE, _ -> {}, row -> begun(connection, row, taken));
    return step == null ? Optional.empty() : Optional.of(step.run());
  }

  private static OperationStep begun(Connection connection, ResultSet row, UUID[] taken)
      throws SQLException {
    taken[0] = row.getObject("id", UUID.class);
    return new OperationStep(connection, OperationRow.view(row), Progress.read(row));
  }

  private void putOff(UUID operation, Exception failure) {
    try {
      database.inAutocommit(connection ->
          Statements.update(connection, PUT_OFF, p -> p.micros(AFTER_FAILURE).id(operation)));
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** How long to wait for the next step, as a single read sees it; zero if one is due. */
  public Duration untilNext() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.one(connection, NEXT_DUE, _ -> {}, OperationCarrier::untilNext));
  }

  private static Duration untilNext(ResultSet row) throws SQLException {
    Instant due = Rows.instantOrNull(row, "due");
    if (due == null) {
      return LONGEST_WAIT;
    }
    Duration left = Duration.between(Rows.instant(row, "now"), due);
    if (left.isNegative() || row.getBoolean("some_too_far")) {
      return Duration.ZERO;
    }
    return Durations.min(left, LONGEST_WAIT);
  }
}
