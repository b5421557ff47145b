package dev.ebb.db.submit;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.PendingSubmit.Answer;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
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
 *
 * <p>Jobs with an idempotency key share commits among themselves: each of these takes a few more
 * statements. While one is being written, another with the same key is refused at once.
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
  private final LockedKeys locked = new LockedKeys(System::nanoTime);
  private final Set<UUID> keysInFlight = ConcurrentHashMap.newKeySet();
  private final CommitBatcher plain;
  private final CommitBatcher unique;
  private final CommitBatcher keyed;

  /**
   * Starts the three threads that write; the database and the notifier stay the caller's to close.
   *
   * @param notifier told of every queue that got work; {@code null} to let the workers poll
   */
  public Submitter(Database database, @Nullable Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
    int poolSize = database.config().poolSize();
    this.alone = new Semaphore(Math.max(1, poolSize / 2), true);
    this.aside = new Semaphore(Math.max(1, poolSize / 4), true);
    this.plain = new CommitBatcher("ebb-submit", MAX_BATCH, locked, this::storePlain);
    this.unique = new CommitBatcher("ebb-submit-unique", MAX_BATCH, locked, this::storeUnique);
    this.keyed = new CommitBatcher("ebb-submit-keyed", MAX_BATCH, locked, this::storeKeyed);
  }

  /**
   * Stores the job, and returns once it is committed.
   *
   * <p>A {@link SQLException} means that it was not stored, or, where the connection broke at the
   * commit, that it may have been. An interrupt ends the wait for room, and nothing was stored; it
   * does not end the wait for a commit that others share, but is set again when that is known. It
   * may break the connection of a virtual thread that commits alone.
   *
   * @throws UniqueKeyLocked if it was not stored, because an open transaction holds its unique key
   * @throws dev.ebb.core.InvalidInput if the payload is not JSON
   */
  public Submitted submit(NewJob job) throws SQLException {
    if (submit(Submission.of(job)) instanceof SubmitAnswer.Stored(List<Submitted> jobs, _)) {
      return jobs.getFirst();
    }
    throw new IllegalStateException("a job without conditions was refused");
  }

  /**
   * The same for one job that has conditions.
   *
   * @throws UniqueKeyLocked if it was not stored, because an open transaction holds its unique key
   * @throws dev.ebb.core.InvalidInput if it is not one job, or the payload is not JSON
   */
  public SubmitAnswer submit(Submission submission) throws SQLException {
    require(submission.jobs().size() == 1, "jobs", "must be one job");
    Submit.check(submission.jobs());
    return checked(notifier == null ? submission.lookedFor() : submission);
  }

  private SubmitAnswer checked(Submission submission) throws SQLException {
    IdempotencyKey key = submission.key();
    if (key == null) {
      return write(submission);
    }
    if (!keysInFlight.add(key.id())) {
      return new SubmitAnswer.InFlight();
    }
    try {
      return write(submission);
    } finally {
      keysInFlight.remove(key.id());
    }
  }

  private SubmitAnswer write(Submission submission) throws SQLException {
    SubmitAnswer answer =
        database.storing().submit(() -> inLineOrBeside(submission), SubmitAnswer::isNew);
    if (notifier != null && answer.isNew()) {
      notifier.workArrived(submission.jobs().getFirst().queue());
    }
    return answer;
  }

  private SubmitAnswer inLineOrBeside(Submission submission) throws SQLException {
    return switch (inLine(submission)) {
      case Answer.Written(SubmitAnswer written) -> written;
      case Answer.Alone() -> storeAlone(submission);
      case Answer.KeyLocked() -> storeAside(submission);
      case Answer.Failed(SQLException e) -> throw SqlStates.again(e);
    };
  }

  private Answer inLine(Submission submission) throws SQLException {
    NewJob job = submission.jobs().getFirst();
    int size = 1 + job.payload().length() / 1024;
    enter(room, size);
    try {
      if (submission.key() != null) {
        // No batch holds more keys than may be looked up at once.
        int share = Math.max(size, MAX_BATCH / KnownKeys.MOST);
        return keyed.submit(new PendingSubmit(submission, share));
      }
      CommitBatcher batcher = job.uniqueKey() == null ? plain : unique;
      return batcher.submit(new PendingSubmit(submission, size));
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
  private SubmitAnswer storeAlone(Submission submission) throws SQLException {
    enter(alone, 1);
    try {
      return Submissions.submit(database, submission, database.config().statementTimeout());
    } finally {
      alone.release();
    }
  }

  /** Beside the others, because it would keep them waiting. */
  private SubmitAnswer storeAside(Submission submission) throws SQLException {
    NewJob job = submission.jobs().getFirst();
    enterAside(job);
    try {
      CommitBatcher.Writer writer = submission.key() == null ? this::storeUnique : this::storeKeyed;
      SubmitAnswer answer = writer.write(List.of(submission), ASIDE_PATIENCE).getFirst();
      locked.remove(job);
      return answer;
    } catch (SQLException e) {
      if (!SqlStates.isUniqueKeyHeld(e)) {
        throw e;
      }
      locked.add(job);
      throw new UniqueKeyLocked(job.uniqueKey(), e);
    } finally {
      aside.release();
    }
  }

  private void enterAside(NewJob job) throws UniqueKeyLocked {
    try {
      enter(aside, 1);
    } catch (SQLException e) {
      throw new UniqueKeyLocked(job.uniqueKey(), e);
    }
  }

  private List<SubmitAnswer> storePlain(List<Submission> submissions, Duration lockPatience)
      throws SQLException {
    return database.inAutocommit(connection -> Submissions.store(connection, submissions));
  }

  private List<SubmitAnswer> storeUnique(List<Submission> submissions, Duration lockPatience)
      throws SQLException {
    return database.inTransaction(
        connection -> Submissions.storeUnique(connection, submissions, lockPatience));
  }

  private List<SubmitAnswer> storeKeyed(List<Submission> submissions, Duration lockPatience)
      throws SQLException {
    return KeyedBatch.store(database, submissions, lockPatience);
  }

  /** How many callers are in line behind the batches that are being written. */
  int waiting() {
    return plain.length() + unique.length() + keyed.length();
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
    keyed.close();
  }
}
