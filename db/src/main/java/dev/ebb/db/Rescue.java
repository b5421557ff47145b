package dev.ebb.db;

import dev.ebb.core.Failure;
import dev.ebb.core.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The verb rescue: the jobs of expired leases enter the same settlement as any other attempt. */
final class Rescue {

  /**
   * A job whose lease expired.
   *
   * @param now the database's clock
   */
  record Lost(Claimed claimed, String node, Duration sinceClaim, Instant now) {

    /** The attempt as a failed one that ran from the claim until now. */
    Settled settled(JobQueue.Rescuer rescuer) {
      Outcome outcome =
          Outcome.failed(
              Failure.WORKER_LOST,
              "worker lost: the lease of node " + node + " ran out while it ran");
      long startedNanos = System.nanoTime() - sinceClaim.toNanos();
      return new Settled(
          claimed,
          outcome,
          rescuer.decide(claimed, outcome, now),
          node,
          startedNanos,
          sinceClaim,
          null);
    }
  }

  // Skips what another node is rescuing, and a lease whose owner settles or renews at this instant.
  private static final String EXPIRED =
      """
      select id
      from ebb.lease
      where expires_at < clock_timestamp()
      order by id
      limit ?
      for update skip locked
      """;

  private static final String JOBS =
      """
      select
        j.id, j.version, l.id as lease_id, j.kind, j.priority,
        -- Nobody will run it here: the payload stays where it is.
        '' as payload, 0 as payload_bytes, j.attempt, j.max_attempts, j.polls,
        j.last_delay_micros, j.timeout_millis, j.cancel_requested,
        coalesce(j.redriven_at, j.created_at) as budget_from,
        j.policy::text, q.policy::text as queue_policy,
        l.node, l.queue,
        (extract(epoch from clock_timestamp() - l.claimed_at) * 1000000)::bigint as since_claim,
        clock_timestamp() as now
      from ebb.lease l
      cross join unnest(l.job_ids, l.versions) as named (id, version)
      join ebb.job j on j.id = named.id and j.version = named.version
      left join ebb.queue q on q.name = l.queue
      where l.id = any (?)
      """;

  private Rescue() {}

  /** Locks expired leases; the caller settles their jobs and ends them in the same transaction. */
  static List<Long> expired(Connection connection, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EXPIRED)) {
      statement.setInt(1, limit);
      List<Long> ids = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
        }
      }
      return ids;
    }
  }

  static List<Lost> jobs(Connection connection, List<Long> leases) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(JOBS)) {
      statement.setArray(1, connection.createArrayOf("bigint", leases.toArray()));
      List<Lost> lost = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          lost.add(
              new Lost(
                  JobRow.claimed(
                      rows,
                      rows.getString("queue"),
                      JobRow.policy(rows.getString("queue_policy"), JobRow.DEFAULT_POLICY)),
                  rows.getString("node"),
                  Duration.of(rows.getLong("since_claim"), ChronoUnit.MICROS),
                  JobRow.instant(rows, "now")));
        }
      }
      return lost;
    }
  }
}
