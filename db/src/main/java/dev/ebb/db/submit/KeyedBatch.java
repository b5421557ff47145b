package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores submissions of one job each that have idempotency keys.
 *
 * <p>Those whose keys are new and whose jobs have no unique keys, which is most of them, are stored
 * by a transaction that is sent at once: the locks, the jobs with their keys, the commit. The
 * others take the statements of {@link Submissions}, in a transaction that follows.
 */
final class KeyedBatch {
  // The look-up is a scalar query, which no planner turns into a join that reads whole tables.
  private static final String INSERT =
      ("""
      select set_config('ebb.locked', coalesce(array_agg(i.key), '{}')::text, true)
      from unnest(?::uuid[], ?::bigint[]) as i (key, number)
      where pg_try_advisory_xact_lock(i.number);

      with fresh as materialized (
        select k.key, k.fingerprint, k.job_id, k.policies
        from (
          select
            unnest(?::uuid[]) as key,
            unnest(?::uuid[]) as fingerprint,
            unnest(?::uuid[]) as job_id,
            unnest(?::text[]) as policies
        ) k
        where k.key = any ((select current_setting('ebb.locked')::uuid[])::uuid[])
          and (
            select e.key
            from ebb.idempotency e
            where e.key = k.key and e.created_at > now() - interval '24 hours'
            limit 1) is null
      ),
      stored as (
      """
              + Submit.INSERT
              + """
                where i.id in (select f.job_id from fresh f)
                returning id, run_at, created_at, max_attempts, queue, kind
              ),
              tallied as (
              %s
              ),
              kept as (
                insert into ebb.idempotency (
                  key, fingerprint, job_ids, run_at, max_attempts, policies)
                select
                  f.key, f.fingerprint,
                  array[s.id], array[s.run_at], array[s.max_attempts::integer], f.policies::jsonb
                from stored s
                join fresh f on f.job_id = s.id
              )
              select id, run_at, created_at, max_attempts from stored;

              commit
              """)
          .formatted(Tally.of(Counter.SUBMITTED, "stored"));

  private KeyedBatch() {}

  /**
   * Stores all of them, each of whose keys must be there once. When it throws, those that have no
   * answer may be stored all the same: then they are found by their keys.
   *
   * @param answers told of each that is committed
   * @param lockPatience how long it may wait for a unique key that an open transaction holds
   */
  static void store(
      Database database,
      List<Submission> submissions,
      Duration lockPatience,
      CommitBatcher.Answers answers)
      throws SQLException {
    List<@Nullable SubmitAnswer> stored = storeNew(database, submissions);
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      SubmitAnswer answer = stored.get(i);
      if (answer == null) {
        others.add(i);
      } else {
        answers.are(i, answer);
      }
    }
    if (!others.isEmpty()) {
      storeOthers(database, others.stream().map(submissions::get).toList(), lockPatience)
          .forEach(answer -> answers.are(others.removeFirst(), answer));
    }
  }

  private static List<SubmitAnswer> storeOthers(
      Database database, List<Submission> others, Duration lockPatience) throws SQLException {
    return database.inTransaction(
        connection -> Submissions.storeKeyed(connection, others, lockPatience));
  }

  /** Stores and commits what it can at once; the answers of the others are {@code null}. */
  private static List<@Nullable SubmitAnswer> storeNew(
      Database database, List<Submission> submissions) throws SQLException {
    List<NewJob> jobs = submissions.stream().flatMap(one -> one.jobs().stream()).toList();
    if (Submit.isUnique(jobs)) {
      return Collections.nCopies(jobs.size(), null);
    }
    UUID[] ids = JobIds.next(jobs.size());
    Map<UUID, Submitted> stored =
        database.inTransaction(connection -> insert(connection, submissions, jobs, ids));
    List<@Nullable SubmitAnswer> answers = new ArrayList<>(ids.length);
    for (UUID id : ids) {
      answers.add(answer(stored.get(id)));
    }
    return answers;
  }

  private static @Nullable SubmitAnswer answer(@Nullable Submitted stored) {
    return stored == null ? null : new SubmitAnswer.Stored(List.of(stored), false);
  }

  private static Map<UUID, Submitted> insert(
      Connection connection, List<Submission> submissions, List<NewJob> jobs, UUID[] ids)
      throws SQLException {
    Map<UUID, Submitted> stored = HashMap.newHashMap(ids.length);
    Statements.eachBehindSettings(
        connection,
        INSERT,
        p -> bind(p, submissions, jobs, ids),
        row -> {
          Submitted one = Submit.submitted(row);
          stored.put(one.id(), one);
        });
    return stored;
  }

  private static void bind(
      Parameters parameters, List<Submission> submissions, List<NewJob> jobs, UUID[] ids)
      throws SQLException {
    List<IdempotencyKey> keys = submissions.stream().map(Submissions::key).toList();
    parameters.columns(keys).ids(IdempotencyKey::id).longs(KnownKeys::lock);
    parameters.columns(keys).ids(IdempotencyKey::id).ids(IdempotencyKey::fingerprint);
    parameters.columns(List.of(ids)).ids(id -> id);
    parameters.columns(submissions).text(one -> StoredSettings.policiesText(one.named()));
    Submit.bind(parameters, jobs, ids);
  }
}
