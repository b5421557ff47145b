package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes the audit, which is append-only. */
public final class Audit {
  private static final String WRITE =
      """
      insert into ebb.audit (actor, token_id, address, reason, action, subject, affected)
      values (?, ?, ?, ?, ?, ?, ?)
      """;

  private Audit() {}

  /**
   * Writes one entry, in the transaction of what was done.
   *
   * @param action such as {@code job.cancel} or {@code queue.pause}
   * @param subject the id or name of what it was done to
   * @param affected how many were changed
   */
  public static void write(
      Connection connection, Act act, String action, String subject, long affected)
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
                .bigint(affected));
  }
}
