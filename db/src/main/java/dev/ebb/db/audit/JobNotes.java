package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.util.UUID;

/** What people want to say of a job: it stands in the audit, among what was done to the job. */
public final class JobNotes {
  private final Database database;

  public JobNotes(Database database) {
    this.database = database;
  }

  /**
   * Keeps a note for as long as the audit is kept, whatever becomes of the job, which it leaves as
   * it is.
   *
   * @param act whose reason is the note
   */
  public void add(UUID job, Act act) throws SQLException {
    database.inTransaction(connection -> {
      Audit.write(connection, act, "job.note", job.toString(), 0);
      return job;
    });
  }
}
