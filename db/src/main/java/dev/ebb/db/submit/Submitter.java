package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.PendingSubmit.Answer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The group commit of jobs that many threads submit one by one: those that arrive during a commit
 * share the next one. Each caller is answered after the commit of its own job.
 *
 * <p>A job that the database refuses does not harm those that came with it: each of them is then
 * stored alone, by its own caller. A job whose unique key somebody holds in an open transaction is
 * set aside, and so are those with the same key that come soon after it.
 */
public final class Submitter implements AutoCloseable {
  /** KiB of jobs that wait or are being written; every further caller waits for room. */
  static final int ROOM = 8 * 1024;

  private static final int MAX_BATCH = 4 * 1024;

  /** How long a job with a key that an open transaction holds waits for it. */
  private static final Duration ASIDE_PATIENCE = Duration.ofMillis(100);

  private final Database database;
  private final @Nullable Notifier notifier;
  private final Semaphore room = new Semaphore(ROOM, true);
  private final Semaphore alone;
  private final Semaphore aside;
  private final HeldKeys held = new HeldKeys(System::nanoTime);
  private final CommitBatcher plain;
  private final CommitBatcher unique;

  /**
   * Starts the two threads that write; the database and the notifier stay the caller's to close.
   *
   * @param notifier told of every queue that got work; {@code null} to let the workers poll
   */
  public Submitter(Database database, @Nullable Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
    int poolSize = database.config().poolSize();
    this.alone = new Semaphore(Math.max(1, poolSize / 2), true);
    this.aside = new Semaphore(Math.max(1, poolSize / 4), true);
    this.plain = new CommitBatcher("ebb-submit", MAX_BATCH, held, this::storePlain);
    this.unique = new CommitBatcher("ebb-submit-unique", MAX_BATCH, held, this::storeUnique);
  }

  /**
   * Stores the job, and returns once it is committed.
   *
   * <p>A {@link SQLException} means that it was not stored, or, where the connection broke at the
   * commit, that it may have been. An interrupt ends the wait for room, and nothing was stored; it
   * does not end the wait for a commit that others share, but is set again when that is known. It
   * may break the connection of a virtual thread that commits alone.
   *
   * @throws UniqueKeyHeld if it was not stored, because an open transaction holds its unique key
   * @throws dev.ebb.core.InvalidInput if the payload is not JSON
   */
  public Submitted submit(NewJob job) throws SQLException {
    Submit.check(List.of(job));
    Submitted submitted =
        switch (inLine(job)) {
          case Answer.Stored(Submitted stored) -> stored;
          case Answer.Alone() -> storeAlone(job);
          case Answer.Held() -> storeAside(job);
          case Answer.Failed(SQLException e) ->
              throw new SQLException(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        };
    if (notifier != null && !submitted.duplicate()) {
      notifier.workArrived(job.queue());
    }
    return submitted;
  }

  private Answer inLine(NewJob job) throws SQLException {
    int size = 1 + job.payload().length() / 1024;
    CommitBatcher batcher = job.uniqueKey() == null ? plain : unique;
    enter(room, size);
    try {
      return batcher.submit(new PendingSubmit(job, size));
    } finally {
      room.release(size);
    }
  }

  private void enter(Semaphore where, int size) throws SQLException {
    try {
      long patience = database.config().statementTimeout().toMillis();
      if (!where.tryAcquire(size, patience, TimeUnit.MILLISECONDS)) {
        throw new SQLTransientConnectionException("too many jobs wait for the database");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted before the job was written", e);
    }
  }

  /**
   * A caller blocked by another transaction holds its connection: at most half the pool may be held
   * so.
   */
  private Submitted storeAlone(NewJob job) throws SQLException {
    enter(alone, 1);
    try {
      return Submit.submit(database, List.of(job)).getFirst();
    } finally {
      alone.release();
    }
  }

  /** Beside the others, because it would keep them waiting. */
  private Submitted storeAside(NewJob job) throws SQLException {
    enterAside(job);
    try {
      Submitted submitted = storeUnique(List.of(job), ASIDE_PATIENCE).getFirst();
      held.remove(job);
      return submitted;
    } catch (SQLException e) {
      if (!SqlStates.isUniqueKeyHeld(e)) {
        throw e;
      }
      held.add(job);
      throw new UniqueKeyHeld(job.uniqueKey(), e);
    } finally {
      aside.release();
    }
  }

  private void enterAside(NewJob job) throws UniqueKeyHeld {
    try {
      enter(aside, 1);
    } catch (SQLException e) {
      throw new UniqueKeyHeld(job.uniqueKey(), e);
    }
  }

  private List<Submitted> storePlain(List<NewJob> jobs, Duration lockPatience) throws SQLException {
    try (Connection connection = database.connection()) {
      return Submit.store(connection, jobs);
    }
  }

  // Nobody knows for how long an open transaction will hold a key.
  private static final String PATIENCE =
      """
      select set_config('lock_timeout', ?, true)
      """;

  private List<Submitted> storeUnique(List<NewJob> jobs, Duration lockPatience)
      throws SQLException {
    return database.inTransaction(connection -> {
      bePatient(connection, lockPatience);
      return Submit.store(connection, jobs);
    });
  }

  private static void bePatient(Connection connection, Duration lockPatience) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PATIENCE)) {
      statement.setString(1, Patience.setting(lockPatience));
      statement.execute();
    }
  }

  /** How many callers are in line behind the batches that are being written. */
  int waiting() {
    return plain.length() + unique.length();
  }

  /** KiB for which there is room at once. */
  int room() {
    return room.availablePermits();
  }

  /**
   * Refuses new jobs, and returns when every caller in line has its answer.
   *
   * <p>Takes no longer than the limits of the database's configuration.
   */
  @Override
  public void close() {
    plain.close();
    unique.close();
  }
}
