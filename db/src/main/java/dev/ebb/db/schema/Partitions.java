package dev.ebb.db.schema;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The partitions of the history and of the terms by which jobs are found, one for each day, and the
 * audit's, one for each month: makes those of the time ahead, and drops old ones.
 *
 * <p>A row of a day whose partition was not made in time lies in the default partition. While it
 * does, its day cannot be made, and making any other day searches the whole default partition while
 * settles wait. So such rows move to the tables of strays first, where reads find them, and are
 * deleted there by age.
 *
 * <p>The partitions of idempotency keys are always the same, and are emptied by turns.
 */
public final class Partitions {
  /** The result of a step of {@link #roll}. */
  public enum Step {
    /** Nothing is left to do. */
    DONE,
    /** There is more to do, at once. */
    MORE,
    /** Somebody reads or changes the history: to be tried later. */
    BUSY
  }

  /** Made ahead, so that a cluster may be stopped for a week. */
  private static final int DAYS_AHEAD = 7;

  private static final int MONTHS_AHEAD = 3;

  /** Moved or deleted at once: about 0.1 s of work, after which others may go on. */
  private static final int PIECE = 10_000;

  // One node at a time; and a change that would wait behind a long read gives up at once, because
  // every settle would queue up behind it.
  private static final String MAY_CHANGE =
      """
      select set_config('lock_timeout', '300ms', true), pg_try_advisory_xact_lock(6644323, 0)
      """;

  private static final String MOVE_HISTORY =
      """
      with moved as (
        delete from ebb.history_rest
        where ctid = any (array(select ctid from ebb.history_rest limit ?))
        returning *
      )
      insert into ebb.history_stray select * from moved
      """;

  private static final String MOVE_ATTEMPTS =
      """
      with moved as (
        delete from ebb.attempt_rest
        where ctid = any (array(select ctid from ebb.attempt_rest limit ?))
        returning *
      )
      insert into ebb.attempt_stray select * from moved
      """;

  private static final String MOVE_TERMS =
      """
      with moved as (
        delete from ebb.term_rest
        where ctid = any (array(select ctid from ebb.term_rest limit ?))
        returning *
      )
      insert into ebb.term_kept select * from moved
      """;

  private static final String KEEP_STRAYS_OUT =
      """
      lock table ebb.history_rest, ebb.attempt_rest, ebb.term_rest in share row exclusive mode
      """;

  private static final String MAKE =
      """
      select ebb.make_partitions(?)
      """;

  private static final String DROP =
      """
      select ebb.drop_partition(?)
      """;

  private static final String DROP_ATTEMPTS =
      """
      select ebb.drop_attempts(?)
      """;

  private static final String FORGET_KEYS =
      """
      select ebb.forget_keys()
      """;

  private static final String FORGET_DELIVERED =
      """
      select ebb.forget_delivered()
      """;

  private static final String MAKE_AUDIT =
      """
      select ebb.make_audit_months(?)
      """;

  private static final String DROP_AUDIT =
      """
      select ebb.drop_audit_month()
      """;

  private static final String PRUNE_HISTORY =
      """
      with old as materialized (
        select ctid, id from ebb.history_stray
        where ended_at < now() - make_interval(days => ?)
        limit ?
      ), named as (
        delete from ebb.term_kept where id in (select id from old)
      )
      delete from ebb.history_stray
      where ctid = any (array(select ctid from old))
      """;

  private static final String PRUNE_ATTEMPTS =
      """
      delete from ebb.attempt_stray
      where ctid = any (array(
        select ctid from ebb.attempt_stray
        where ended_at < now() - make_interval(days => ?)
        limit ?
      ))
      """;

  private final Database database;

  public Partitions(Database database) {
    this.database = database;
  }

  /**
   * Does one step towards a week of days ahead, nothing older than is kept, and no idempotency keys
   * and deliveries where the next ones go.
   */
  public Step roll(Retention kept) throws SQLException {
    try {
      Step step = database.inTransaction(Partitions::makeDays);
      if (step == Step.DONE) {
        step = database.inTransaction(connection -> dropDays(connection, kept));
      }
      return step == Step.DONE ? database.inTransaction(Partitions::emptyNext) : step;
    } catch (SQLException e) {
      if (SqlStates.isLocked(e)) {
        return Step.BUSY;
      }
      throw e;
    }
  }

  private static Step makeDays(Connection connection) throws SQLException {
    if (!mayChange(connection)) {
      return Step.BUSY;
    }
    if (moveStrays(connection)) {
      return Step.MORE;
    }
    // No row may arrive between the last move and the making of its day.
    Statements.run(connection, KEEP_STRAYS_OUT, _ -> {});
    if (moveStrays(connection)) {
      return Step.MORE;
    }
    Statements.run(connection, MAKE, p -> p.integer(DAYS_AHEAD));
    Statements.run(connection, MAKE_AUDIT, p -> p.integer(MONTHS_AHEAD));
    return Step.DONE;
  }

  /** Whether there may be more. */
  private static boolean moveStrays(Connection connection) throws SQLException {
    boolean full = isFull(connection, MOVE_HISTORY, p -> p.integer(PIECE));
    full |= isFull(connection, MOVE_ATTEMPTS, p -> p.integer(PIECE));
    return isFull(connection, MOVE_TERMS, p -> p.integer(PIECE)) || full;
  }

  private static Step dropDays(Connection connection, Retention kept) throws SQLException {
    if (!mayChange(connection)) {
      return Step.BUSY;
    }
    boolean more =
        drops(connection, DROP, p -> p.integer(kept.historyDays()))
            || drops(connection, DROP_ATTEMPTS, p -> p.integer(kept.attemptDays()))
            || drops(connection, DROP_AUDIT, _ -> {})
            || isFull(connection, PRUNE_HISTORY, p -> p.integer(kept.historyDays()).integer(PIECE))
            || isFull(
                connection, PRUNE_ATTEMPTS, p -> p.integer(kept.attemptDays()).integer(PIECE));
    return more ? Step.MORE : Step.DONE;
  }

  private static Step emptyNext(Connection connection) throws SQLException {
    if (!mayChange(connection)) {
      return Step.BUSY;
    }
    Statements.run(connection, FORGET_KEYS, _ -> {});
    Statements.run(connection, FORGET_DELIVERED, _ -> {});
    return Step.DONE;
  }

  private static boolean drops(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    return Statements.one(connection, sql, binding, row -> row.getBoolean(1));
  }

  private static boolean mayChange(Connection connection) throws SQLException {
    return Statements.one(connection, MAY_CHANGE, _ -> {}, row -> row.getBoolean(2));
  }

  /** Whether the statement, which takes this many rows at most, took as many. */
  private static boolean isFull(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    return Statements.update(connection, sql, binding) == PIECE;
  }
}
