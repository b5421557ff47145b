package dev.ebb.db;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 * <p>So the claimers of one queue must take turns: each has to see the leases of those before it.
 *
 * <p>A job whose last attempt lost its worker, and that has one attempt left, is a suspect: it may
 * be what killed the worker. A node runs one suspect at a time, so that the neighbours of a job
 * that kills its workers do not use up their attempts with it.
 */
final class Claim {
  // A transaction in one round trip: the turn, the claim, the commit that ends the turn. The turn
  // is a statement of its own because the claim takes its snapshot after it: a lock inside the
  // claim
  // would come too late. In autocommit the driver may end the transaction between the two.
  //
  // The settings last as long as the transaction. They keep a plan that was cached while the table
  // was empty right when it holds a million rows: the jobs are read by an index and in its order,
  // and the leased ids are looked up in a hash table.
  static final String CLAIM =
      """
      select
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('enable_nestloop', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('work_mem', '64MB', true),
        set_config('jit', 'off', true),
        pg_advisory_xact_lock(6644322, hashtext(?));
      with due as materialized (
        select j.*
        from ebb.job j
        where j.queue = ?
          and j.run_at <= statement_timestamp()
          and j.kind = any (?)
          and (? or not (j.lost and j.attempt + 1 >= j.max_attempts))
          and (j.id, j.version) not in (
            select unnest(l.job_ids), unnest(l.versions) from ebb.lease l where l.queue = ?)
          and not exists (select from ebb.queue q where q.name = ? and q.paused)
        order by j.priority, j.run_at, j.id
        limit ?
      ), counted as (
        select due.*,
          due.lost and due.attempt + 1 >= due.max_attempts as suspect,
          sum(octet_length(due.payload)) over so_far as bytes,
          count(*) filter (where due.lost and due.attempt + 1 >= due.max_attempts)
            over so_far as suspects
        from due
        window so_far as (order by due.priority, due.run_at, due.id)
      ), fitting as (
        select * from counted where bytes <= ? and not (suspect and suspects > 1)
      ), taken as (
        insert into ebb.lease (queue, node, claimed_at, expires_at, job_ids, versions)
        select ?, ?, statement_timestamp(), clock_timestamp() + ? * interval '1 microsecond',
          array_agg(id order by id), array_agg(version order by id)
        from fitting
        having count(*) > 0
        returning id, claimed_at
      )
      select
        t.id as lease_id, t.claimed_at, f.id, f.version, f.suspect, f.kind, f.priority, f.payload,
        octet_length(f.payload) as payload_bytes,
        f.attempt, f.max_attempts, f.polls, f.last_delay_micros, f.timeout_millis,
        f.cancel_requested, coalesce(f.redriven_at, f.created_at) as budget_from,
        coalesce(f.policy, (select q.policy from ebb.queue q where q.name = ?)) as policy
      from taken t
      cross join fitting f
      order by f.priority, f.run_at, f.id;
      commit
      """;

  private Claim() {}

  static @Nullable Lease claim(Connection connection, ClaimRequest request) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      bind(statement, request, connection.createArrayOf("text", request.kinds().toArray()));
      try (ResultSet rows = Statements.secondResult(statement)) {
        return lease(rows, request.queue());
      }
    }
  }

  private static void bind(PreparedStatement statement, ClaimRequest request, Array kinds)
      throws SQLException {
    statement.setString(1, request.queue());
    statement.setString(2, request.queue());
    statement.setArray(3, kinds);
    statement.setBoolean(4, request.suspects());
    statement.setString(5, request.queue());
    statement.setString(6, request.queue());
    statement.setInt(7, request.maxJobs());
    statement.setLong(8, request.maxBytes());
    statement.setString(9, request.queue());
    statement.setString(10, request.node());
    statement.setLong(11, Arrays.micros(request.lease()));
    statement.setString(12, request.queue());
  }

  private static @Nullable Lease lease(ResultSet rows, String queue) throws SQLException {
    List<Claimed> jobs = new ArrayList<>();
    long id = 0;
    Instant claimedAt = Instant.EPOCH;
    while (rows.next()) {
      id = rows.getLong("lease_id");
      claimedAt = JobRow.instant(rows, "claimed_at");
      jobs.add(JobRow.claimed(rows, queue));
    }
    return jobs.isEmpty() ? null : new Lease(id, claimedAt, jobs);
  }
}
