package dev.ebb.db.action;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * What the statements on available jobs have in common. They run under the locks of the jobs'
 * queues, so that no claim lies between the reading of the leases and the writing.
 */
final class AvailableJobs {
  private static final String IS_HELD = "ebb.is_held(j.held_version, j.version, j.held_until)";

  /** When {@code j} is due, or was without its hold. */
  static final String DUE = "case when " + IS_HELD + " then j.held_run_at else j.run_at end";

  /**
   * In an update of {@code j}: its hold, which counts for one version alone, goes on, also where it
   * waits for its ordering key by one.
   */
  static final String HOLD_GOES_ON =
      """
      held_version = case when %s then j.version + 1 end,
            blocked_version = case when j.blocked_version = j.version then j.version + 1 end\
      """
          .formatted(IS_HELD);

  /** In an update of {@code j} to the time {@code t.run_at}: it is due then, behind its hold. */
  static final String DUE_BEHIND_HOLD =
      """
      run_at = case
              when %s then greatest(j.held_until, t.run_at)
              else t.run_at
            end,
            held_run_at = t.run_at,
            %s\
      """
          .formatted(IS_HELD, HOLD_GOES_ON);

  /** Begins a statement with those that are {@code available}. */
  static final String PICKED =
      """
      with available as materialized (
        select j.id, j.version
        from ebb.job j
        where j.id = any (?)
          and j.queue = any (?)
          and (j.id, j.version) not in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = any (?))
        order by j.id
        for update skip locked
      )
      """;

  private AvailableJobs() {}

  /**
   * Runs a statement that begins with those jobs of the queues.
   *
   * @param more its parameters behind those of {@link #PICKED}
   */
  static List<ActedJob> run(
      Connection connection,
      String sql,
      List<UUID> ids,
      List<String> queues,
      Statements.Binding more)
      throws SQLException {
    return Statements.list(
        connection, sql, p -> more.bind(p.ids(ids).texts(queues).texts(queues)), ActedJob::read);
  }
}
