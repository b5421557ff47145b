package dev.ebb.db;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What people do to one job that does not run, a method per verb. Each is one transaction, with its
 * entry in the audit.
 */
public final class JobChanges {
  private final Database database;

  public JobChanges(Database database) {
    this.database = database;
  }

  /**
   * Keeps an available job from being claimed. A job that is held already gets the new end and
   * reason. DONE, NOT_FOUND, WRONG_STATE.
   *
   * @param until when the hold ends by itself; {@code null} for never
   * @throws dev.ebb.core.InvalidInput if {@code until} does not lie in the future
   */
  public ActionResult hold(UUID id, @Nullable Instant until, Act act) throws SQLException {
    return database.inTransaction(connection -> JobHolds.hold(connection, id, until, act));
  }

  /** Ends a job's hold: it is due as if it had not been held. DONE, NOT_FOUND, WRONG_STATE. */
  public ActionResult release(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> JobHolds.release(connection, id, act));
  }

  /**
   * Forgets the payload of a job that cannot run any more, and what its attempts recorded. A dead
   * letter without a payload is not redriven. DONE, also where it is erased already, NOT_FOUND,
   * WRONG_STATE.
   */
  public ActionResult erase(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> JobErasure.erase(connection, id, act));
  }
}
