package dev.ebb.db.claim;

import dev.ebb.core.job.Job;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.Shortage;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.queue.ShortageColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verb claim: due jobs of one queue under one new lease.
 *
 * <p>A claim does not write the jobs' rows. It inserts one lease row that names them, each at the
 * version that its row has, and a job is claimed while a lease names it at its version:
 *
 * <pre>
 *   job    id  version  run_at …           lease  id  job_ids    versions  expires_at
 *          j1  0        12:00   ◀───────────────  71  {j1, j2}   {0, 3}    12:00:15
 *          j2  4        12:07      names 3: free
 * </pre>
 *
 * <p>So the claimers of one queue take its lock: each has to see the leases of those before it. The
 * lock does not last until the disk has the lease. A server that crashes may forget the lease: then
 * its token is not live and its jobs are free, while they may still run. Their node learns of it
 * when it renews.
 *
 * <p>A queue with limits is claimed from by {@link LimitedClaim}; this claim leaves it alone.
 */
public final class Claim {
  // A transaction in one round trip: the lock, the claim, the commit that releases it. The lock is
  // a statement of its own because the claim takes its snapshot after it: a lock inside the claim
  // would come too late. In autocommit the driver may end the transaction between the two.
  //
  // The settings last as long as the transaction. The first two are the caller's patience with the
  // lock and with each statement. Those of the planner have it read the jobs by the claim index, in
  // its order, and look up the leased ids in a hash table. The commit does not wait for the disk.
  //
  // A lease is skipped if none of its jobs can lie behind the cursor.
  //
  // One scan per priority, each from where the node's claims ended (see ScanCursor), in the order
  // of the priorities: the outer limit ends them as soon as there are enough.
  private static final String LOCK =
      QueueLock.TAKE_WITH_SETTINGS
          + """
          ,
            set_config('synchronous_commit', 'off', true),
            q.policy::text, q.limited, q.name is not null as configured
          from (values (?)) as asked (name)
          left join ebb.queue q on q.name = asked.name;
          """;

  private static final String TAKE =
      """
      with reached as materialized (
        select *
        from unnest('{0,1,2,3,4,5,6,7,8,9}'::smallint[], ?::timestamptz[], ?::uuid[])
          as t (priority, run_at, id)
      ), leased as materialized (
        select unnest(l.job_ids) as id, unnest(l.versions) as version
        from ebb.lease l
        where l.queue = ?
          and l.id <> all (?)
          and l.last_run_at >= (
            select min(r.run_at)
            from reached r
            where r.priority between l.first_priority and l.last_priority)
      ), due as materialized (
        select d.*
        from reached
        cross join lateral (
          select
            j.id, j.version, j.kind, j.priority, j.run_at, j.payload, j.attempt, j.max_attempts,
            j.snoozes, j.last_delay_micros, j.timeout_millis, j.cancel_requested, j.policy, j.queue,
            %s as budget_from,
            ebb.subject((select s.subject from ebb.settings s), j.labels, j.destination)
              as subject
          from ebb.job j
          where j.queue = ?
            and j.priority = reached.priority
            and (j.run_at, j.id) > (reached.run_at, reached.id)
            and j.run_at <= statement_timestamp()
            and j.kind = any (?)
            and (j.id, j.version) not in (select id, version from leased)
          order by j.run_at, j.id
          limit ?
        ) d
        where not exists (
          select
          from ebb.queue q
          where q.name = ?
            and (q.limited <> ?
              or (q.paused and coalesce(q.paused_until > statement_timestamp(), true))))
        limit ?
      ), taken as (
        insert into ebb.lease (
          queue, node, claimed_at, expires_at, length_micros,
          job_ids, versions, first_priority, last_priority, last_run_at, short_since, short_until)
        select
          ?, ?, statement_timestamp(), clock_timestamp() + ? * interval '1 microsecond', ?,
          array_agg(id), array_agg(version), min(priority), max(priority), max(run_at),
          ?::timestamptz, ?::timestamptz
        from due
        having count(*) > 0
        returning id, claimed_at
      ), tallied as (
      %s
      )
      select
        d.id, d.version, t.id as lease_id, d.kind, d.priority, d.payload,
        octet_length(d.payload) as payload_bytes, d.attempt, d.max_attempts, d.snoozes,
        d.last_delay_micros, d.timeout_millis, d.cancel_requested, d.budget_from, d.policy::text,
        d.subject, t.claimed_at, d.run_at,
        (date_part('epoch', t.claimed_at - d.run_at) * 1000000)::bigint as late_micros
      from taken t
      cross join due d
      """
          .formatted(
              ClaimedRow.BUDGET_FROM,
              Tally.timed(Counter.STARTED, "due", "statement_timestamp() - run_at"));

  static final String CLAIM = (LOCK + "%s; commit").formatted(TAKE);

  private Claim() {}

  /** A claimed batch, and how far it reaches. */
  record ClaimedBatch(Lease lease, ScanCursor.Batch batch) {
    int size() {
      return lease.jobs().size();
    }

    /** How many may still start by their policies' deadlines. */
    int inTime() {
      Instant now = lease.claimedAt();
      return (int) lease.jobs().stream().filter(claimed -> claimed.job().mayStart(now)).count();
    }
  }

  /**
   * The result of a claim.
   *
   * @param asked for how many jobs it asked
   * @param configured whether the queue has settings of its own
   * @param limited whether the queue has limits
   * @param closedFor for how long its limits let nothing more through
   * @param full whether that is because {@code maxConcurrency} jobs are in flight
   */
  record Result(
      @Nullable ClaimedBatch taken,
      int asked,
      boolean configured,
      boolean limited,
      Duration closedFor,
      boolean full) {

    static Result unlimited(boolean configured) {
      return new Result(null, 0, configured, false, Duration.ZERO, false);
    }

    int size() {
      return taken == null ? 0 : taken.size();
    }

    int inTime() {
      return taken == null ? 0 : taken.inTime();
    }

    Result closedFor(Duration length) {
      return new Result(taken, asked, configured, limited, length, false);
    }
  }

  /** Claims what lies behind the cursor; nothing of a queue with limits. */
  static Result claim(
      Connection connection, ClaimRequest request, Patience patience, ScanCursor from)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement =
        connection.prepareStatement(
            CLAIM, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      Parameters parameters =
          Parameters.of(statement)
              .text(Patience.setting(patience.lock()))
              .text(Patience.setting(patience.statement()))
              .text(request.queue())
              .text(request.queue());
      bind(parameters, request, from, most(request), false, null);
      statement.execute();
      ResultSet settings = statement.getResultSet();
      settings.next();
      boolean configured = settings.getBoolean("configured");
      boolean limited = settings.getBoolean("limited");
      RetryPolicy policy =
          StoredSettings.policy(settings.getString("policy"), StoredSettings.DEFAULT_POLICY);
      try (ResultSet rows = Statements.nextResult(statement)) {
        ClaimedBatch taken = taken(rows, request.queue(), policy);
        // The limits that were read before the lock may be gone under it.
        boolean stillLimited = limited && taken == null;
        return new Result(taken, most(request), configured, stillLimited, Duration.ZERO, false);
      }
    }
  }

  /** The claim alone, of a queue with limits, at most this many; under the queue's lock. */
  static @Nullable ClaimedBatch take(
      Connection connection,
      ClaimRequest request,
      ScanCursor from,
      int most,
      Limiters.LimiterView seen)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            TAKE, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      bind(Parameters.of(statement), request, from, most, true, seen.shortageUntilNow());
      try (ResultSet rows = statement.executeQuery()) {
        return taken(rows, request.queue(), seen.policy());
      }
    }
  }

  private static void bind(
      Parameters parameters,
      ClaimRequest request,
      ScanCursor from,
      int most,
      boolean limited,
      @Nullable Shortage shortage)
      throws SQLException {
    parameters
        .texts(from.runAts())
        .ids(from.ids())
        .text(request.queue())
        .leases(from.leasesBefore())
        .text(request.queue())
        .texts(request.kinds())
        .integer(most)
        .text(request.queue())
        .flag(limited)
        .integer(most)
        .text(request.queue())
        .text(request.node())
        .micros(request.lease())
        .micros(request.lease());
    var _ = ShortageColumns.bind(parameters, shortage);
  }

  /** Counts every job as the largest possible, so that payloads need not be added up. */
  static int most(ClaimRequest request) {
    return (int) Math.min(request.maxJobs(), request.maxBytes() / NewJob.MAX_PAYLOAD_BYTES);
  }

  private static @Nullable ClaimedBatch taken(ResultSet rows, String queue, RetryPolicy queuePolicy)
      throws SQLException {
    List<ClaimedJob> jobs = new ArrayList<>();
    long id = 0;
    Instant claimedAt = Instant.EPOCH;
    List<Long> lateMicros = new ArrayList<>();
    while (rows.next()) {
      if (jobs.isEmpty()) {
        id = rows.getLong("lease_id");
        claimedAt = Rows.instant(rows, "claimed_at");
      }
      jobs.add(ClaimedRow.read(rows, queue, queuePolicy));
      lateMicros.add(rows.getLong("late_micros"));
    }
    return jobs.isEmpty()
        ? null
        : new ClaimedBatch(
            new Lease(id, claimedAt, jobs, lateMicros), lastOfEachPriority(rows, jobs));
  }

  // The rows come in claim order; reading a time is expensive, and only these are needed.
  private static ScanCursor.Batch lastOfEachPriority(ResultSet rows, List<ClaimedJob> jobs)
      throws SQLException {
    ScanCursor.Batch batch = new ScanCursor.Batch();
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i).job();
      boolean isLast = i == jobs.size() - 1 || jobs.get(i + 1).job().priority() != job.priority();
      if (isLast) {
        rows.absolute(i + 1);
        batch.put(job.priority(), Rows.instant(rows, "run_at"), job.id());
      }
    }
    return batch;
  }
}
