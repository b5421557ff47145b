package dev.ebb.db.schedule;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.util.List;

/**
 * Looks at the rows of Quartz's triggers, of which Quartz would find out only as it fires them that
 * somebody else wrote them. Ebb's are of one kind.
 */
public final class TriggerRows {
  // They would keep the triggers to which they belong from being removed.
  private static final String DELETE_STRANGE =
      """
      with blobs as (
        delete from ebb.qrtz_blob_triggers where sched_name = ?
      ), crons as (
        delete from ebb.qrtz_cron_triggers where sched_name = ?
      )
      delete from ebb.qrtz_simprop_triggers where sched_name = ?
      """;

  // All but what Quartz writes for a trigger that fires once, in whatever state it may be by
  // itself.
  private static final String ODD =
      """
      select trigger_name, trigger_group
      from ebb.qrtz_triggers t
      where sched_name = ?
        and (
          trigger_type <> 'SIMPLE'
          or calendar_name is not null
          or octet_length(job_data) > 0
          or trigger_state not in ('WAITING', 'ACQUIRED', 'COMPLETE', 'BLOCKED')
          or not exists (
            select from ebb.qrtz_simple_triggers s
            where s.sched_name = t.sched_name
              and s.trigger_name = t.trigger_name
              and s.trigger_group = t.trigger_group))
      limit ?
      """;

  private final Database database;
  private final String cluster;

  /**
   * @param cluster its name in Quartz's tables
   */
  public TriggerRows(Database database, String cluster) {
    this.database = database;
    this.cluster = cluster;
  }

  /** A trigger's name within its group. */
  public record Key(String name, String group) {}

  /**
   * Triggers that are not as a node makes them, up to {@code limit}; and deletes what would make
   * them triggers of another kind.
   */
  public List<Key> odd(int limit) throws SQLException {
    return database.inTransaction(connection -> {
      Statements.update(
          connection, DELETE_STRANGE, p -> p.text(cluster).text(cluster).text(cluster));
      return Statements.list(
          connection,
          ODD,
          p -> p.text(cluster).integer(limit),
          row -> new Key(row.getString("trigger_name"), row.getString("trigger_group")));
    });
  }
}
