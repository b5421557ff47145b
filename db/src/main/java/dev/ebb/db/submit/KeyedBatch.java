package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Stores submissions of one job each that have idempotency keys.
 *
 * <p>A batch whose keys are all new, and whose jobs have no unique keys, which is most of them, is
 * stored by two statements that are sent at once: the locks, and the jobs with their keys. Anything
 * else takes the statements of {@link Submissions}, in a transaction that follows.
 */
final class KeyedBatch {
  // Both are one transaction, because the driver sends one Sync after them. They must be: the
  // result of the locks travels in a transaction-local setting. Sequential scans are off, because
  // the plan is cached, and may have been made while the table was small.
  private static final String INSERT =
      ("""
      select
        set_config('ebb.locked', bool_and(pg_try_advisory_xact_lock(i.number))::text, true),
        set_config('enable_seqscan', 'off', true)
      from unnest(?::bigint[]) as i (number);

      with free as materialized (
        select
        where current_setting('ebb.locked', true) = 'true'
          and not exists (
            select
            from ebb.idempotency e
            where e.key = any (?) and e.created_at > now() - interval '24 hours')
      ),
      tallied as (
        %s
        %s
        where exists (select from free)
      ),
      stored as (
      """
              + Submit.INSERT
              + """
                where exists (select from free)
                returning id, run_at, created_at, max_attempts
              ),
              kept as (
                insert into ebb.idempotency (
                  key, fingerprint, job_ids, run_at, max_attempts, policies)
                select
                  k.key, k.fingerprint,
                  array[s.id], array[s.run_at], array[s.max_attempts::integer], k.policies::jsonb
                from stored s
                join (
                  select
                    unnest(?::uuid[]) as key,
                    unnest(?::uuid[]) as fingerprint,
                    unnest(?::uuid[]) as job_id,
                    unnest(?::text[]) as policies
                ) k on k.job_id = s.id
              )
              select id, run_at, created_at, max_attempts from stored
              """)
          .formatted(Tally.INSERT, Tally.ROWS);

  private KeyedBatch() {}

  /**
   * Stores all of them, each of whose keys must be there once; the answers stand in their order.
   * When it throws, they may be stored all the same: then they are found by their keys.
   *
   * @param lockPatience how long it may wait for a unique key that an open transaction holds
   */
  static List<SubmitAnswer> store(
      Database database, List<Submission> submissions, Duration lockPatience) throws SQLException {
    List<NewJob> jobs = Submissions.jobs(submissions);
    List<SubmitAnswer> stored =
        Submit.isUnique(jobs) ? List.of() : storeNew(database, submissions, jobs);
    return stored.isEmpty()
        ? database.inTransaction(
            connection -> Submissions.storeKeyed(connection, submissions, lockPatience))
        : stored;
  }

  /** Stores and commits all of them if their keys are new; otherwise none, and is empty. */
  private static List<SubmitAnswer> storeNew(
      Database database, List<Submission> submissions, List<NewJob> jobs) throws SQLException {
    UUID[] ids = JobIds.of(submissions);
    Map<UUID, Submitted> stored =
        database.inAutocommit(connection -> insert(connection, submissions, jobs, ids));
    List<SubmitAnswer> answers = new ArrayList<>(ids.length);
    for (UUID id : ids) {
      Submitted one = stored.get(id);
      if (one != null) {
        answers.add(new SubmitAnswer.Stored(List.of(one), false));
      }
    }
    return answers;
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
    parameters.columns(keys).longs(KnownKeys::lock).ids(IdempotencyKey::id);
    Submit.bindTally(parameters, jobs);
    Submit.bind(parameters, jobs, ids);
    parameters.columns(keys).ids(IdempotencyKey::id).ids(IdempotencyKey::fingerprint);
    parameters.columns(List.of(ids)).ids(id -> id);
    parameters.columns(submissions).text(one -> StoredSettings.policiesText(one.named()));
  }
}
