package dev.ebb.worker;

import dev.ebb.core.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Settled;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs back from expired leases; every node does, and none leads.
 *
 * <p>When the database was away, every lease expired and yet most owners live. So a node that
 * reaches it again, or that starts and finds no session older than a moment, lets the owners renew
 * first.
 */
final class Rescuer {
  private static final Logger log = LoggerFactory.getLogger(Rescuer.class);
  private static final int MOST_LEASES = 5;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

  private final JobQueue jobs;
  private final Duration ownersFirst;
  private final Consumer<Settled> onWritten;
  private final Meters meters;
  private @Nullable Long reachedNanos;
  private boolean wasAway;

  Rescuer(JobQueue jobs, Duration lease, Consumer<Settled> onWritten, Meters meters) {
    this.jobs = jobs;
    // A renewal comes every third of a lease, or after the longest pause of a failing loop.
    Duration renewal = lease.dividedBy(3);
    Duration pause = Loop.LONGEST_PAUSE;
    this.ownersFirst = (renewal.compareTo(pause) > 0 ? renewal : pause).plusSeconds(1);
    this.onWritten = onWritten;
    this.meters = meters;
  }

  /** Waits for the first expiry there is, as far as it is known, and rescues what expired. */
  Duration step() throws SQLException {
    try {
      Duration next = jobs.nextExpiry().orElse(LONGEST_WAIT);
      if (reachedNanos == null) {
        Duration reached = wasAway ? Duration.ZERO : jobs.reachedFor();
        reachedNanos = System.nanoTime() - reached.toNanos();
      }
      if (next.isPositive()) {
        return next.compareTo(LONGEST_WAIT) < 0 ? next : LONGEST_WAIT;
      }
      return ownersHadTime() ? rescue() : SHORTEST_WAIT;
    } catch (SQLException e) {
      reachedNanos = null;
      wasAway = true;
      throw e;
    }
  }

  /** A lease that is not rescued now is being rescued, renewed or settled at this instant. */
  private Duration rescue() throws SQLException {
    List<Settled> rescued =
        jobs.rescue(
            MOST_LEASES,
            (claimed, workerLost, now) ->
                Settlement.decide(claimed.job(), workerLost, now, ThreadLocalRandom.current()));
    tell(rescued);
    return rescued.isEmpty() ? SHORTEST_WAIT : Duration.ZERO;
  }

  private boolean ownersHadTime() {
    return reachedNanos != null && System.nanoTime() - reachedNanos > ownersFirst.toNanos();
  }

  private void tell(List<Settled> rescued) {
    if (!rescued.isEmpty()) {
      log.warn("rescued {} jobs from expired leases", rescued.size());
      meters.rescued(rescued.size());
      rescued.forEach(onWritten);
    }
  }
}
