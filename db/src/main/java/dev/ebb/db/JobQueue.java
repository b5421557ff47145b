package dev.ebb.db;

import dev.ebb.contract.Purged;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.action.Purge;
import dev.ebb.db.claim.Claim;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.Complete;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.LeaseExpiry;
import dev.ebb.db.settle.LeasedJob;
import dev.ebb.db.settle.Renew;
import dev.ebb.db.settle.Rescue;
import dev.ebb.db.settle.RescueDecision;
import dev.ebb.db.settle.Settle;
import dev.ebb.db.settle.SettleResult;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.Submissions;
import dev.ebb.db.submit.Submit;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.UniqueKeyLocked;
import dev.ebb.db.submit.Untold;
import dev.ebb.db.trace.Traces;
import io.opentelemetry.api.trace.Span;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The writes of jobs but for {@link JobChanges}, a method per verb; the statements stand in {@link
 * Submit}, {@link Claim}, {@link Complete}, {@link Settle}, {@link Rescue} and {@link Purge}.
 *
 * <p>Every method but {@link #purge} is one transaction: a {@link SQLException} means that nothing
 * was written, or, where the connection broke at the commit, that all of it may have been. Each may
 * then be called again: the fence keeps a second settle out, and the jobs of a claim whose answer
 * was lost come back when its lease expires.
 */
public final class JobQueue {
  static final Duration KEY_PATIENCE = Duration.ofSeconds(1);

  private final Database database;
  private final Traces traces;

  public JobQueue(Database database) {
    this(database, Traces.OFF);
  }

  /** The same, whose settles are traced. */
  public JobQueue(Database database, Traces traces) {
    this.database = database;
    this.traces = traces;
  }

  /**
   * Stores the jobs in one transaction; the answers stand in the order of the jobs. Workers are not
   * notified: they find them when they go through the queue, which is done for a thousand queues a
   * second.
   *
   * @throws dev.ebb.core.InvalidInput if a payload is not JSON, or there are more than 1,000 jobs
   */
  public List<Submitted> submit(List<NewJob> jobs) throws SQLException {
    return database
        .storing()
        .submit(
            () -> Submit.submit(database, jobs),
            stored -> !stored.stream().allMatch(Submitted::duplicate));
  }

  /**
   * Stores the submission in a transaction of its own. Who waits for a unique key that an open
   * transaction holds keeps a connection, so it waits for a second at most.
   *
   * @throws UniqueKeyLocked if nothing was stored, because such a transaction did not end
   * @throws dev.ebb.core.InvalidInput if a payload is not JSON, or there are more than 1,000 jobs
   */
  public SubmitAnswer submit(Submission submission) throws SQLException {
    return database
        .storing()
        .submit(() -> Submissions.submit(database, submission, KEY_PATIENCE), SubmitAnswer::isNew);
  }

  /**
   * Whether a submission with this one's idempotency key is stored: this one would store nothing.
   */
  public boolean isStored(Submission submission) throws SQLException {
    return Submissions.isStored(database, submission);
  }

  /** The stored policies that the first submit with the key named, as they were then. */
  public Map<String, RetryPolicy> named(IdempotencyKey key) throws SQLException {
    return Submissions.named(database, key);
  }

  /**
   * Stores the jobs in the caller's transaction: they exist if and when it commits. Idle workers
   * find them within a second of that, unless it commits more than two seconds after it began. A
   * duplicate does not abort it, and neither does a payload that is not JSON.
   *
   * @throws dev.ebb.core.InvalidInput if a payload is not JSON, or there are more than 1,000 jobs
   */
  public static List<Submitted> submit(Connection connection, List<NewJob> jobs)
      throws SQLException {
    Submit.check(jobs);
    return Submit.store(connection, Untold.lookedFor(jobs));
  }

  /**
   * Takes due jobs under a new lease; empty if there is none that fits. Scans from the beginning:
   * to claim again and again, use a {@link Claimer}.
   */
  public Optional<Lease> claim(ClaimRequest request) throws SQLException {
    Claimer claimer = new Claimer(database);
    ClaimAnswer answer = claimer.claim(request, List.of());
    while (answer.lease().isEmpty() && answer.mayHaveMore()) {
      answer = claimer.claim(request, List.of());
    }
    return answer.lease();
  }

  /**
   * Writes the settlements, and deletes the leases that ended.
   *
   * @param endedLeases the leases that have no job left to settle
   * @return those that the fence kept out, because their token was no longer live: nothing was
   *     written of them
   * @throws SQLException with the state 55P03 if somebody else has had one of the jobs locked for a
   *     quarter of a second; nothing was written then
   */
  public List<FinishedAttempt> settle(List<FinishedAttempt> batch, Collection<Long> endedLeases)
      throws SQLException {
    return traced(batch, connection -> Settle.settle(connection, batch, endedLeases));
  }

  /**
   * The same without waiting for locks: jobs that somebody has locked are left for another time.
   */
  public SettleResult settleUnlocked(List<FinishedAttempt> batch, Collection<Long> endedLeases)
      throws SQLException {
    return traced(batch, connection -> Settle.settleUnlocked(connection, batch, endedLeases));
  }

  private <T> T traced(List<FinishedAttempt> batch, Database.Work<T> settle) throws SQLException {
    return !traces.areOn() || batch.isEmpty()
        ? database.inTransaction(settle)
        : Traces.within(span(batch), () -> database.inTransaction(settle));
  }

  private Span span(List<FinishedAttempt> batch) {
    Set<String> queues = new HashSet<>();
    List<@Nullable String> attempts = new ArrayList<>();
    for (FinishedAttempt settled : batch) {
      queues.add(settled.claimed().job().queue());
      attempts.add(settled.claimed().traceparent());
    }
    return traces.settle(batch.getFirst().node(), queues, attempts);
  }

  /**
   * Settles the jobs of expired leases as failed by a lost worker.
   *
   * @param mostJobs how many at once; those of one lease may be more
   * @param now leases that ended before this count as expired
   * @return what was written
   */
  public List<FinishedAttempt> rescue(int mostJobs, Instant now, RescueDecision decision)
      throws SQLException {
    return database.inTransaction(connection -> {
      List<Long> leases = Rescue.expired(connection, mostJobs, now);
      List<FinishedAttempt> batch = new ArrayList<>();
      for (LeasedJob lost : LeasedJob.of(connection, leases)) {
        batch.add(Rescue.settled(lost, decision));
      }
      SettleResult written = Settle.settleUnlocked(connection, batch, leases);
      Set<Long> left = new HashSet<>();
      written.locked().forEach(settled -> left.add(settled.claimed().fencingToken()));
      Rescue.putOff(connection, left);
      batch.removeAll(written.refused());
      batch.removeAll(written.locked());
      return batch;
    });
  }

  /** When leases end, by the database's clock. */
  public LeaseExpiry expiry() throws SQLException {
    return database.inAutocommit(Rescue::expiry);
  }

  /**
   * Shortens the leases that end further ahead than they are long, as if they were renewed now, and
   * answers how many there were.
   */
  public int bringNear() throws SQLException {
    return database.inAutocommit(Rescue::bringNear);
  }

  /**
   * Gives the leases their full length again, and answers which of them are still there.
   *
   * @return by lease, whether it was renewed: one that somebody else had locked was not
   */
  public Map<Long, Boolean> renew(Collection<Long> leases, Duration length) throws SQLException {
    return database.inTransaction(connection -> Renew.renew(connection, leases, length));
  }

  private static final String REPORT =
      """
      update ebb.lease
      set progress = coalesce(progress, '{}') || ?::jsonb
      where id in (select id from ebb.lease where id = ? for update skip locked)
      """;

  /**
   * Writes the progress of a lease's jobs, for people to see; skipped where somebody has locked the
   * lease.
   *
   * @param progress by job's id, JSON text
   */
  public void reportProgress(long lease, Map<UUID, String> progress) throws SQLException {
    StringJoiner json = new StringJoiner(",", "{", "}");
    progress.forEach((id, text) -> json.add('"' + id.toString() + "\":" + text));
    var _ =
        database.inAutocommit(connection ->
            Statements.update(connection, REPORT, p -> p.text(json.toString()).bigint(lease)));
  }

  private static final String CANCEL_REQUESTED =
      """
      select id from ebb.job where cancel_requested
      """;

  /** The running jobs, of all nodes, that somebody asked to stop. */
  public Set<UUID> cancelRequested() throws SQLException {
    return Set.copyOf(
        database.inAutocommit(connection ->
            Statements.list(
                connection, CANCEL_REQUESTED, _ -> {}, row -> row.getObject(1, UUID.class))));
  }

  /**
   * Cancels jobs of the queue that do not run, at most 10,000: they are in the history then. Unlike
   * the other methods this one is many transactions, of up to {@value Purge#BATCH} jobs each: what
   * was purged before an exception stays so.
   *
   * @param jobs whether to cancel the available ones
   * @param deadLetters whether to cancel the dead letters
   */
  public Purged purge(String queue, boolean jobs, boolean deadLetters, Act act)
      throws SQLException {
    return new Purge(database, queue, act).purge(jobs, deadLetters);
  }
}
