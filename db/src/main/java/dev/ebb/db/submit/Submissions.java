package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores submissions. Those with idempotency keys take three statements: what is known of their
 * keys, the jobs of those that are new, and the keys of these with their answers.
 */
public final class Submissions {
  private static final String KEEP =
      """
      insert into ebb.idempotency (key, fingerprint, job_ids, run_at, max_attempts, policies)
      select
        i.key, i.fingerprint,
        i.job_ids::uuid[], i.run_at::timestamptz[], i.max_attempts::integer[], i.policies::jsonb
      from (
        select
          unnest(?::uuid[]) as key,
          unnest(?::uuid[]) as fingerprint,
          unnest(?::text[]) as job_ids,
          unnest(?::text[]) as run_at,
          unnest(?::text[]) as max_attempts,
          unnest(?::text[]) as policies
      ) i
      """;

  // Nobody knows for how long an open transaction will hold a key.
  private static final String PATIENCE =
      """
      select set_config('lock_timeout', ?, true)
      """;

  /** A submission whose key is new, and the answers for its jobs. */
  private record Answered(Submission submission, List<Submitted> jobs) {
    IdempotencyKey key() {
      return Submissions.key(submission);
    }

    /** A value of each job as an array of PostgreSQL's; what a duplicate lacks is null in it. */
    String array(Function<Submitted, @Nullable Object> value) {
      return jobs.stream()
          .map(job -> String.valueOf(value.apply(job)))
          .collect(Collectors.joining(",", "{", "}"));
    }
  }

  /** What else a transaction writes if it stores jobs. */
  @FunctionalInterface
  public interface SideWrite {
    void write(Connection connection) throws SQLException;
  }

  private Submissions() {}

  /**
   * Stores one of any size in a transaction of its own.
   *
   * @param lockPatience how long it may wait for a unique key that an open transaction holds
   * @throws UniqueKeyLocked if nothing was stored, because one holds it for longer
   */
  public static SubmitAnswer submit(Database database, Submission submission, Duration lockPatience)
      throws SQLException {
    Submit.check(submission.jobs());
    return submission.key() == null && !Submit.isUnique(submission.jobs())
        ? new SubmitAnswer.Stored(Submit.submit(database, submission.jobs()), false)
        : submit(database, submission, lockPatience, _ -> {});
  }

  /**
   * The same.
   *
   * @param beside written in the same transaction, unless the submission is a repetition
   */
  public static SubmitAnswer submit(
      Database database, Submission submission, Duration lockPatience, SideWrite beside)
      throws SQLException {
    Submit.check(submission.jobs());
    try {
      return database.inTransaction(connection -> {
        SubmitAnswer answer = store(connection, submission, lockPatience);
        if (answer instanceof SubmitAnswer.Stored(_, boolean replayed) && !replayed) {
          beside.write(connection);
        }
        return answer;
      });
    } catch (SQLException e) {
      throw SqlStates.isUniqueKeyHeld(e) ? new UniqueKeyLocked(uniqueKey(submission), e) : e;
    }
  }

  private static SubmitAnswer store(
      Connection connection, Submission submission, Duration lockPatience) throws SQLException {
    List<Submission> one = List.of(submission);
    SubmitAnswer answer =
        (submission.key() == null
                ? storeUnique(connection, one, lockPatience)
                : storeKeyed(connection, one, lockPatience))
            .getFirst();
    if (answer instanceof SubmitAnswer.Duplicate) {
      connection.rollback();
    }
    return answer;
  }

  /** That of its jobs' unique keys; {@code null} if there are more, of which one is held. */
  private static @Nullable String uniqueKey(Submission submission) {
    List<String> keys =
        submission.jobs().stream().map(NewJob::uniqueKey).filter(Objects::nonNull).toList();
    return keys.size() == 1 ? keys.getFirst() : null;
  }

  /** Whether the submission is stored already, so that it is a repetition. */
  public static boolean isStored(Database database, Submission submission) throws SQLException {
    IdempotencyKey key = submission.key();
    return key != null && database.inAutocommit(connection -> KnownKeys.isKept(connection, key));
  }

  /** The answer that is already clear without the submission's jobs; empty if its key is new. */
  public static Optional<SubmitAnswer> known(Database database, IdempotencyKey key)
      throws SQLException {
    return database.inTransaction(connection ->
        Optional.ofNullable(KnownKeys.look(connection, List.of(key), Duration.ZERO).answer(key)));
  }

  /** The stored policies that the first request with the key named; empty if there was none. */
  public static Map<String, RetryPolicy> named(Database database, IdempotencyKey key)
      throws SQLException {
    return database.inAutocommit(connection -> KnownKeys.named(connection, key));
  }

  /**
   * Stores submissions that were checked, whatever their keys; the answers stand in their order. Of
   * several, each must be one job: only a strict duplicate that stands alone stores nothing.
   */
  static List<SubmitAnswer> store(Connection connection, List<Submission> submissions)
      throws SQLException {
    Iterator<Submitted> submitted =
        Submit.store(connection, jobs(submissions), JobIds.of(submissions)).iterator();
    return submissions.stream()
        .map(one -> SubmitAnswer.of(one, one.jobs().stream().map(_ -> submitted.next()).toList()))
        .toList();
  }

  /**
   * The same for jobs with unique keys.
   *
   * @param lockPatience how long it may wait for one that an open transaction holds
   */
  static List<SubmitAnswer> storeUnique(
      Connection connection, List<Submission> submissions, Duration lockPatience)
      throws SQLException {
    Statements.run(connection, PATIENCE, p -> p.text(Patience.setting(lockPatience)));
    return store(connection, submissions);
  }

  /**
   * The same for submissions with keys, each of which must be there once; one statement after the
   * other.
   *
   * @param lockPatience how long it may wait for a unique key that an open transaction holds
   */
  static List<SubmitAnswer> storeKeyed(
      Connection connection, List<Submission> submissions, Duration lockPatience)
      throws SQLException {
    List<IdempotencyKey> keys = submissions.stream().map(Submissions::key).toList();
    KnownKeys known = KnownKeys.look(connection, keys, lockPatience);
    List<@Nullable SubmitAnswer> answers = new ArrayList<>();
    List<Submission> fresh = new ArrayList<>();
    for (Submission submission : submissions) {
      SubmitAnswer answer = known.answer(key(submission));
      answers.add(answer);
      if (answer == null) {
        fresh.add(submission);
      }
    }
    Iterator<SubmitAnswer> stored = storeAndKeep(connection, fresh).iterator();
    return answers.stream().map(answer -> answer == null ? stored.next() : answer).toList();
  }

  /** The jobs of all of them, in their order. */
  static List<NewJob> jobs(List<Submission> submissions) {
    return submissions.stream().flatMap(one -> one.jobs().stream()).toList();
  }

  static IdempotencyKey key(Submission submission) {
    return Objects.requireNonNull(submission.key());
  }

  private static List<SubmitAnswer> storeAndKeep(Connection connection, List<Submission> fresh)
      throws SQLException {
    List<SubmitAnswer> answers = store(connection, fresh);
    List<Answered> answered = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) instanceof SubmitAnswer.Stored(List<Submitted> jobs, _)) {
        answered.add(new Answered(fresh.get(i), jobs));
      }
    }
    if (!answered.isEmpty()) {
      keep(connection, answered);
    }
    return answers;
  }

  private static void keep(Connection connection, List<Answered> answered) throws SQLException {
    Statements.update(
        connection,
        KEEP,
        p ->
            p.columns(answered)
                .ids(one -> one.key().id())
                .ids(one -> one.key().fingerprint())
                .text(one -> one.array(Submitted::id))
                .text(one -> one.array(job -> job.stored() == null ? null : job.stored().runAt()))
                .text(one ->
                    one.array(job -> job.stored() == null ? null : job.stored().maxAttempts()))
                .text(one -> StoredSettings.policiesText(one.submission().named())));
  }
}
