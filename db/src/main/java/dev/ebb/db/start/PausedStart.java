package dev.ebb.db.start;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Pauses the start of the cluster, and ends that. */
public final class PausedStart {
  private static final String SUBJECT = "start";

  private static final String PAUSE =
      """
      insert into ebb.start as s (paused_since, paused_by)
      values (clock_timestamp(), ?)
      on conflict (one) do update
      set paused_since = excluded.paused_since, paused_by = excluded.paused_by
      where s.paused_since is null
        -- Who resumed it did so since the database was last confirmed.
        and s.resumed_of is distinct from
          coalesce((select confirmed_at from ebb.identity), 'epoch')
      """;

  private static final String RESUME =
      """
      update ebb.start
      set paused_since = null, paused_by = null, resumed_at = clock_timestamp(),
        resumed_of = coalesce((select confirmed_at from ebb.identity), 'epoch')
      where paused_since is not null
      """;

  private static final String READ =
      """
      select paused_since, paused_by, resumed_at from ebb.start
      """;

  private final Database database;

  public PausedStart(Database database) {
    this.database = database;
  }

  /**
   * Pauses the start, unless people have resumed it since the database was last confirmed; answers
   * how it is then.
   */
  public StartState pause(Act act) throws SQLException {
    return database.inTransaction(connection -> {
      pause(connection, act);
      return read(connection);
    });
  }

  static void pause(Connection connection, Act act) throws SQLException {
    if (Statements.update(connection, PAUSE, p -> p.text(act.actor())) == 1) {
      Audit.write(connection, act, "start.pause", SUBJECT, 1);
    }
  }

  /** Lets everything run, and answers how it is then. */
  public StartState resume(Act act) throws SQLException {
    return database.inTransaction(connection -> {
      if (Statements.update(connection, RESUME, _ -> {}) == 1) {
        Audit.write(connection, act, "start.resume", SUBJECT, 1);
      }
      return read(connection);
    });
  }

  /** How it is. */
  public StartState read() throws SQLException {
    return database.inAutocommit(PausedStart::read);
  }

  /** The same on a connection. */
  public static StartState read(Connection connection) throws SQLException {
    StartState state = Statements.first(connection, READ, _ -> {}, PausedStart::state);
    return state == null ? StartState.NEVER_PAUSED : state;
  }

  private static StartState state(ResultSet row) throws SQLException {
    return new StartState(
        Rows.instantOrNull(row, "paused_since"),
        row.getString("paused_by"),
        Rows.instantOrNull(row, "resumed_at"));
  }
}
