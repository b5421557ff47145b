package dev.ebb.db.stats;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.time.Duration;

/** The lease under which one node at a time shows the figures of the whole cluster. */
public final class GaugeLease {
  // The other one's row lock is held for an instant. The table has no log: its row is gone after a
  // crash of the server, and on a standby that was promoted.
  private static final String TAKE =
      """
      insert into ebb.gauge_lease as l (node, expires_at)
      values (?, clock_timestamp() + ? * interval '1 microsecond')
      on conflict (one) do update
      set node = excluded.node, expires_at = excluded.expires_at
      where l.node = excluded.node or l.expires_at <= clock_timestamp()
      """;

  private static final String GIVE_BACK =
      """
      update ebb.gauge_lease
      set node = null, expires_at = '-infinity'
      where node = ?
      """;

  private final Database database;
  private final String node;

  /**
   * The lease as that node sees it.
   *
   * @param node a name that no other process has
   */
  public GaugeLease(Database database, String node) {
    this.database = database;
    this.node = node;
  }

  /** Takes or renews it for so long from now; false if another node has it. */
  public boolean take(Duration length) throws SQLException {
    return database.inAutocommit(
        connection -> Statements.update(connection, TAKE, p -> p.text(node).micros(length)) == 1);
  }

  /** Gives it back, if this node has it. */
  public void giveBack() throws SQLException {
    database.inAutocommit(
        connection -> Statements.update(connection, GIVE_BACK, p -> p.text(node)));
  }
}
