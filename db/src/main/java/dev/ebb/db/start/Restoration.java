package dev.ebb.db.start;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Confirmation;
import dev.ebb.db.connection.Confirmation.Confirmed;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.event.EventLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a database ready that was restored from a dump or a copy, and tells what is in it. */
public final class Restoration {
  private static final String IS_CURRENT =
      """
      select to_regclass('ebb.start') is not null as current
      """;

  private static final String ADVANCE_SEQUENCES =
      """
      select ebb.advance_sequences() as behind
      """;

  private static final String REPORT =
      """
      select
        (select count(*) from ebb.lease) as leases,
        (select coalesce(sum(cardinality(job_ids)), 0) from ebb.lease) as leased,
        (select count(*) from ebb.job where run_at <= now()) as due,
        s.late, s.oldest,
        (select count(*) from ebb.operation where state = 'running') as operations
      from (
        select count(*) as late, min(next_fire_at) as oldest
        from ebb.schedule
        where paused_since is null and next_fire_at <= now()
      ) s
      """;

  private Restoration() {}

  /**
   * What a restored database holds.
   *
   * @param confirmed which database it is from now on
   * @param leases of nodes that are gone, or that go on
   * @param leasedJobs that they name
   * @param dueJobs that are due now, those under leases among them
   * @param lateSchedules that have fires to serve by their rules
   * @param firstMissed the first of those fires; {@code null} for none
   * @param operations that go on
   * @param behind the sequences that were behind their tables, and are no more
   */
  public record Report(
      Confirmed confirmed,
      long leases,
      long leasedJobs,
      long dueJobs,
      long lateSchedules,
      @Nullable Instant firstMissed,
      long operations,
      List<String> behind) {}

  /**
   * Pauses the start, has people's word that this is the database, forgets every event, and brings
   * sequences up to their tables, all in one transaction: no node that goes over to it runs
   * anything.
   *
   * @param config of one server
   * @throws SQLException if it cannot be reached, or its schema is not this program's
   * @throws dev.ebb.core.InvalidInput if the URL names several servers
   */
  public static Report restored(DatabaseConfig config, Act act) throws SQLException {
    Work work = new Work(act);
    Confirmed confirmed = Confirmation.confirm(config, work);
    List<String> behind = work.behind;
    if (behind == null) {
      throw tooOld();
    }
    try (Database database = Database.open(config)) {
      return database.inAutocommit(connection ->
          Statements.one(connection, REPORT, _ -> {}, row -> report(row, confirmed, behind)));
    }
  }

  /** What is done with the confirmation. */
  private static final class Work implements Confirmation.Also {
    private final Act act;
    private @Nullable List<String> behind;

    Work(Act act) {
      this.act = act;
    }

    @Override
    public void on(Connection connection) throws SQLException {
      if (!Statements.one(connection, IS_CURRENT, _ -> {}, row -> row.getBoolean("current"))) {
        throw tooOld();
      }
      PausedStart.pause(connection, act);
      EventLog.forgetAll(connection);
      behind =
          Statements.one(connection, ADVANCE_SEQUENCES, _ -> {}, row -> Rows.texts(row, "behind"));
    }
  }

  private static SQLException tooOld() {
    return new SQLException(
        "its schema is older than this program: run ./ebb confirm and ./ebb migrate, and then this"
            + " again, before any node starts");
  }

  private static Report report(ResultSet row, Confirmed confirmed, List<String> behind)
      throws SQLException {
    return new Report(
        confirmed,
        row.getLong("leases"),
        row.getLong("leased"),
        row.getLong("due"),
        row.getLong("late"),
        Rows.instantOrNull(row, "oldest"),
        row.getLong("operations"),
        behind);
  }
}
