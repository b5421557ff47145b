package dev.ebb.db.settle;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.ClaimedRow;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that a lease still names at its version, read for its settlement.
 *
 * @param node whose the lease is
 * @param now the database's clock
 */
public record LeasedJob(ClaimedJob claimed, String node, Duration sinceClaim, Instant now) {
  private static final String OF_LEASES =
      """
      select
        j.id, j.version, l.id as lease_id, j.kind, j.priority,
        -- Nobody runs it here: the payload stays where it is.
        '' as payload, 0 as payload_bytes, j.attempt, j.max_attempts, j.snoozes,
        j.last_delay_micros, j.timeout_millis, j.cancel_requested,
        %s as budget_from,
        j.policy::text,
        -- Neither a lost worker nor one that polls counts for whom it is about.
        null as subject,
        j.ordering_key is not null as ordered, j.follow_ups is not null as followed,
        q.policy::text as queue_policy,
        l.node, l.queue,
        (extract(epoch from clock_timestamp() - l.claimed_at) * 1000000)::bigint as since_claim,
        clock_timestamp() as now
      from ebb.lease l
      cross join unnest(l.job_ids, l.versions) as named (id, version)
      join ebb.job j on j.id = named.id and j.version = named.version
      left join ebb.queue q on q.name = l.queue
      where l.id = any (?)
      """
          .formatted(ClaimedRow.BUDGET_FROM);

  /** The jobs of the leases that are not settled. */
  public static List<LeasedJob> of(Connection connection, Collection<Long> leases)
      throws SQLException {
    return Statements.list(connection, OF_LEASES, p -> p.leases(leases), LeasedJob::read);
  }

  private static LeasedJob read(ResultSet row) throws SQLException {
    RetryPolicy queuePolicy =
        StoredSettings.policy(row.getString("queue_policy"), StoredSettings.DEFAULT_POLICY);
    return new LeasedJob(
        ClaimedRow.leased(row, row.getString("queue"), queuePolicy),
        row.getString("node"),
        Duration.of(row.getLong("since_claim"), ChronoUnit.MICROS),
        Rows.instant(row, "now"));
  }

  /**
   * Its attempt, which ended now.
   *
   * @param took how long it ran
   * @param detail JSON text to keep with the attempt
   */
  public FinishedAttempt finished(
      Outcome outcome, Settlement settlement, Duration took, @Nullable String detail) {
    long startedNanos = System.nanoTime() - took.toNanos();
    return new FinishedAttempt(claimed, outcome, settlement, node, startedNanos, took, detail);
  }
}
