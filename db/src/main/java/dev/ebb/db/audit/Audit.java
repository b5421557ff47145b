package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes the audit, which is append-only. */
public final class Audit {
  private static final String WRITE =
      """
      insert into ebb.audit (
        actor, token_id, address, reason, action, subject, affected, changes)
      values (?, ?, ?, ?, ?, ?, ?, ?::jsonb)
      """;

  private Audit() {}

  /** Writes one entry of what changes no field that a reader would ask for. */
  public static void write(
      Connection connection, Act act, String action, String subject, long affected)
      throws SQLException {
    write(connection, act, action, subject, affected, new Changes());
  }

  /** Writes one entry of what was done to one thing. */
  public static void write(
      Connection connection, Act act, String action, String subject, Changes changes)
      throws SQLException {
    write(connection, act, action, subject, 1, changes);
  }

  /**
   * Writes one entry, in the transaction of what was done.
   *
   * @param action such as {@code job.cancel} or {@code queue.pause}
   * @param subject the id or name of what it was done to
   * @param affected how many were changed
   * @param changes from what to what
   */
  public static void write(
      Connection connection, Act act, String action, String subject, long affected, Changes changes)
      throws SQLException {
    Statements.update(
        connection,
        WRITE,
        p ->
            p.text(act.actor())
                .text(act.tokenId())
                .text(act.address())
                .text(act.reason())
                .text(action)
                .text(subject)
                .bigint(affected)
                .text(changes.json()));
  }
}
