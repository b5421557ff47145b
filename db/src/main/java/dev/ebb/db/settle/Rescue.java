package dev.ebb.db.settle;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;

/** The verb rescue: the jobs of expired leases enter the same settlement as any other attempt. */
public final class Rescue {

  /** The job of an expired lease as a failed attempt that ran from the claim until now. */
  public static FinishedAttempt settled(LeasedJob lost, RescueDecision decision) {
    Outcome outcome =
        Outcome.failed(
            Failure.WORKER_LOST,
            "worker lost: the lease of node " + lost.node() + " expired while it ran");
    return lost.finished(
        outcome, decision.decide(lost.claimed(), outcome, lost.now()), lost.sinceClaim(), null);
  }

  private static final String EXPIRY =
      """
      select
        c.now, min(l.expires_at) as first,
        coalesce(
          bool_or(l.expires_at > c.now + (l.length_micros + 1000000) * interval '1 microsecond'),
          false) as some_too_far,
        min(l.length_micros) as shortest
      from (select clock_timestamp() as now) c
      left join ebb.lease l on true
      group by c.now
      """;

  private static final String BRING_NEAR =
      """
      update ebb.lease l
      set expires_at = clock_timestamp() + l.length_micros * interval '1 microsecond'
      where l.id in (
        select far.id
        from ebb.lease far
        where far.expires_at
          > clock_timestamp() + (far.length_micros + 1000000) * interval '1 microsecond'
        order by far.id
        for update skip locked)
      """;

  // Skips what another node is rescuing, and a lease whose owner settles or renews at this instant,
  // before it counts.
  private static final String EXPIRED =
      """
      with free as materialized (
        select id, cardinality(job_ids) as jobs
        from ebb.lease
        where expires_at < ?
        order by id
        limit ?
        for update skip locked
      )
      select id
      from (
        select
          id, sum(jobs) over (order by id) as jobs, row_number() over (order by id) as place
        from free
      ) first
      where jobs <= ? or place = 1
      order by id
      """;

  private static final String PUT_OFF =
      """
      update ebb.lease set expires_at = clock_timestamp() + interval '1 second' where id = any (?)
      """;

  private Rescue() {}

  public static LeaseExpiry expiry(Connection connection) throws SQLException {
    return Statements.one(connection, EXPIRY, _ -> {}, Rescue::expiry);
  }

  private static LeaseExpiry expiry(ResultSet row) throws SQLException {
    return new LeaseExpiry(
        Rows.instant(row, "now"),
        Rows.instantOrNull(row, "first"),
        row.getBoolean("some_too_far"),
        Duration.of(row.getLong("shortest"), ChronoUnit.MICROS));
  }

  public static int bringNear(Connection connection) throws SQLException {
    return Statements.update(connection, BRING_NEAR, _ -> {});
  }

  /** Locks expired leases; the caller settles their jobs and ends them in the same transaction. */
  public static List<Long> expired(Connection connection, int mostJobs, Instant now)
      throws SQLException {
    return Statements.list(
        connection,
        EXPIRED,
        p -> p.time(now).integer(mostJobs).integer(mostJobs),
        row -> row.getLong(1));
  }

  /** Lets the leases expire anew: what is locked in them must not hold up others. */
  public static void putOff(Connection connection, Collection<Long> leases) throws SQLException {
    if (!leases.isEmpty()) {
      Statements.run(connection, PUT_OFF, p -> p.leases(leases));
    }
  }
}
