package dev.ebb.db;

import dev.ebb.core.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Every write of a job: a method and a statement per verb. */
public final class JobQueue {
  public JobQueue(Database database) {}

  /** What became of a verb that people ask for. */
  public enum Answer {
    /** It took effect. */
    DONE,
    /** The job is running: it was asked to stop. */
    REQUESTED,
    /** There is no such job. */
    NOT_FOUND,
    /** The job's state does not allow it. */
    WRONG_STATE,
    /** Another job holds its unique key. */
    UNIQUE_KEY_TAKEN
  }

  /** Stores the jobs in one transaction; the answers stand in the order of the jobs. */
  public List<Submitted> submit(List<NewJob> jobs) throws SQLException {
    throw new AssertionError();
  }

  /**
   * Stores the jobs in the caller's transaction: they exist if and when it commits. A duplicate
   * does not abort it.
   */
  public static List<Submitted> submit(Connection connection, List<NewJob> jobs)
      throws SQLException {
    throw new AssertionError();
  }

  /**
   * Takes an available job out, or asks a running one to stop. DONE, REQUESTED, NOT_FOUND,
   * WRONG_STATE.
   */
  public Answer cancel(UUID id) throws SQLException {
    throw new AssertionError();
  }

  /** Lets an available job run now. DONE, NOT_FOUND, WRONG_STATE. */
  public Answer retry(UUID id) throws SQLException {
    throw new AssertionError();
  }

  /**
   * Gives a dead letter a fresh budget and makes it available now. DONE, NOT_FOUND, WRONG_STATE,
   * UNIQUE_KEY_TAKEN.
   */
  public Answer redrive(UUID id) throws SQLException {
    throw new AssertionError();
  }
}
