package dev.ebb.worker;

import dev.ebb.core.Durations;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.DatabaseClock;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.loop.Pause;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.LeaseExpiry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs back from expired leases; every node does, and none leads.
 *
 * <p>When the database was away, or its clock was set forward, every lease expired and yet most
 * owners live. So a node that starts, that reaches the database again, or that sees its clock step
 * lets the owners renew first. When that clock was set back, a dead node's lease would last for as
 * long as the step: it is shortened.
 */
final class Rescuer {
  private static final Logger LOG = LoggerFactory.getLogger(Rescuer.class);
  private static final int MOST_JOBS = 500;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final JobQueue jobs;

  private final Duration lease;
  private final Duration ownersFirst;
  private final Consumer<FinishedAttempt> onWritten;
  private final Meters meters;
  private final DatabaseClock clock = new DatabaseClock();
  private @Nullable Long reachedNanos;

  Rescuer(JobQueue jobs, Duration lease, Consumer<FinishedAttempt> onWritten, Meters meters) {
    this.jobs = jobs;
    this.lease = lease;
    // A renewal comes every third of a lease, or after the longest pause of a failing loop.
    Duration renewal = lease.dividedBy(3);
    Duration pause = Pause.LONGEST;
    this.ownersFirst = Durations.max(renewal, pause).plusSeconds(1);
    this.onWritten = onWritten;
    this.meters = meters;
  }

  /** Waits for the first expiry that is known, and rescues the jobs of expired leases. */
  Duration step() throws SQLException {
    try {
      LeaseExpiry expiry = expiry();
      if (expiry.someTooFar()) {
        LOG.warn("the database's clock was set back: shortened {} leases", jobs.bringNear());
      }
      Instant first = expiry.first();
      Duration longestWait = longestWait(first == null ? lease : expiry.shortest());
      Duration next = first == null ? longestWait : Duration.between(expiry.now(), first);
      if (!next.isNegative()) {
        return next.compareTo(longestWait) < 0 ? next.plusMillis(1) : longestWait;
      }
      return ownersHadTime() ? rescue(expiry.now()) : SHORTEST_WAIT;
    } catch (SQLException e) {
      // Owners renew beside a row that is locked or refused, but not at a database that is away.
      if (!SqlStates.isPerhapsOfTheRows(e)) {
        reachedNanos = null;
      }
      throw e;
    }
  }

  /**
   * A third of a lease at most. So a lease that begins after a look does not expire before the next
   * one, and none expires through an outage that began and ended between two looks.
   */
  private Duration longestWait(Duration shortest) {
    return Durations.min(Durations.min(shortest, lease).dividedBy(3), LONGEST_WAIT);
  }

  private LeaseExpiry expiry() throws SQLException {
    long asked = System.nanoTime();
    LeaseExpiry expiry = jobs.expiry();
    long answered = System.nanoTime();
    if (clock.stepped(expiry.now(), asked, answered)) {
      LOG.warn("the database's clock stepped: waiting for owners to renew their leases");
      reachedNanos = null;
    }
    if (reachedNanos == null) {
      reachedNanos = answered;
    }
    return expiry;
  }

  /** A lease that is not rescued now is being rescued, renewed or settled at this instant. */
  private Duration rescue(Instant now) throws SQLException {
    List<FinishedAttempt> rescued =
        jobs.rescue(
            MOST_JOBS,
            now,
            (claimed, workerLost, then) ->
                Settlement.decide(claimed.job(), workerLost, then, ThreadLocalRandom.current()));
    tell(rescued);
    return rescued.isEmpty() ? SHORTEST_WAIT : Duration.ZERO;
  }

  private boolean ownersHadTime() {
    return reachedNanos != null && System.nanoTime() - reachedNanos > ownersFirst.toNanos();
  }

  private void tell(List<FinishedAttempt> rescued) {
    if (!rescued.isEmpty()) {
      LOG.warn("rescued {} jobs from expired leases", rescued.size());
      meters.rescued(rescued.size());
      rescued.forEach(onWritten);
    }
  }
}
