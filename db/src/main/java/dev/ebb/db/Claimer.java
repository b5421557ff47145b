package dev.ebb.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one node: each goes on where the one before it came to, and now and then one sweeps
 * from the beginning. For one thread.
 *
 * <p>A claim that threw may have left a lease that nobody here knows; its jobs are not claimed
 * twice, and come back when it expires.
 */
public final class Claimer {
  /** A job before the position waits for about as long. */
  private static final Duration SWEEP_EVERY = Duration.ofMillis(100);

  /** Where a sweep is slow, sweeps take at most one part in so many of the time. */
  private static final int SWEEP_SHARE = 20;

  private final Database database;
  private final Map<String, Progress> queues = new HashMap<>();

  private static final class Progress {
    final ScanPosition position = new ScanPosition();
    @Nullable Long sweptNanos;
    long sweepTookNanos;
    boolean limited;

    boolean isSweepDue(long now) {
      long pause = Math.max(SWEEP_EVERY.toNanos(), SWEEP_SHARE * sweepTookNanos);
      return sweptNanos == null || now - sweptNanos >= pause;
    }

    void swept(long start, long end) {
      sweptNanos = end;
      sweepTookNanos = end - start;
    }
  }

  public Claimer(Database database) {
    this.database = database;
  }

  /**
   * Takes due jobs under a new lease.
   *
   * @param held the leases of this node that it has not ended
   */
  public ClaimAnswer claim(ClaimRequest request, Collection<Long> held) throws SQLException {
    Progress progress = queues.computeIfAbsent(request.queue(), _ -> new Progress());
    progress.position.retainLeases(held);
    try (Connection connection = database.connection()) {
      Claim.Result result = claim(connection, request, progress);
      Claim.Taken taken = result.taken();
      if (taken != null) {
        Lease lease = taken.lease();
        progress.position.advance(lease.id(), lease.claimedAt(), taken.batch());
      }
      return new ClaimAnswer(
          Optional.ofNullable(taken).map(Claim.Taken::lease),
          result.size() == result.asked(),
          result.limited(),
          result.heldFor(),
          result.full());
    }
  }

  private static Claim.Result claim(Connection connection, ClaimRequest request, Progress progress)
      throws SQLException {
    long start = System.nanoTime();
    if (!progress.isSweepDue(start)) {
      return claim(connection, request, progress, progress.position);
    }
    Claim.Result result = claim(connection, request, progress, new ScanPosition());
    if (isSwept(result, progress.position)) {
      progress.swept(start, System.nanoTime());
    }
    return result;
  }

  /**
   * Whether all before the position was looked at. Where limits let nothing through, nothing was; a
   * batch that is full before it comes to the position has left some for the next sweep, at once.
   */
  private static boolean isSwept(Claim.Result result, ScanPosition position) {
    Claim.Taken taken = result.taken();
    return taken == null
        ? result.asked() > 0
        : result.size() < result.asked() || !position.isBefore(taken.batch());
  }

  /** As the queue was last time, and once more if it is no longer so. */
  private static Claim.Result claim(
      Connection connection, ClaimRequest request, Progress progress, ScanPosition from)
      throws SQLException {
    Claim.Result result = claim(connection, request, from, progress.limited);
    if (result.limited() == progress.limited) {
      return result;
    }
    progress.limited = result.limited();
    return claim(connection, request, from, progress.limited);
  }

  private static Claim.Result claim(
      Connection connection, ClaimRequest request, ScanPosition from, boolean limited)
      throws SQLException {
    return limited
        ? LimitedClaim.claim(connection, request, from)
        : Claim.claim(connection, request, from);
  }
}
