package dev.ebb.db.claim;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one node: each goes on where the one before it ended, and now and then one scans
 * from the beginning. A queue is for one thread at a time.
 *
 * <p>A claim that threw may have left a lease that nobody here knows; its jobs are not claimed
 * twice, and come back when it expires.
 */
public final class Claimer {
  /** A job before the cursor waits about this long. */
  private static final Duration FULL_SCAN_EVERY = Duration.ofMillis(100);

  /** Full scans use at most 1/20 of the time. */
  private static final int FULL_SCAN_SHARE = 20;

  /** But no job before the cursor waits longer than this. */
  private static final Duration FULL_SCAN_AT_LEAST_EVERY = Duration.ofSeconds(2);

  /**
   * A queue that was not claimed from for this long is forgotten: its next claim is a full scan.
   */
  private static final Duration FORGET_AFTER = Duration.ofMinutes(10);

  private final Database database;
  private final Map<String, Progress> queues = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private volatile long forgotNanos;

  private static final class Progress {
    final ScanCursor cursor = new ScanCursor();
    volatile long usedNanos;
    @Nullable Long scannedNanos;
    long scanTookNanos;
    boolean limited;

    boolean isFullScanDue(long now) {
      long share = FULL_SCAN_SHARE * scanTookNanos;
      long pause = Math.clamp(share, FULL_SCAN_EVERY.toNanos(), FULL_SCAN_AT_LEAST_EVERY.toNanos());
      return scannedNanos == null || now - scannedNanos >= pause;
    }

    void scanned(long start, long end) {
      scannedNanos = end;
      scanTookNanos = end - start;
    }
  }

  public Claimer(Database database) {
    this(database, System::nanoTime);
  }

  /** The same by another clock. */
  Claimer(Database database, LongSupplier nanoTime) {
    this.database = database;
    this.nanoTime = nanoTime;
    this.forgotNanos = nanoTime.getAsLong();
  }

  /**
   * Takes due jobs under a new lease, with the timeouts of the session.
   *
   * @param held the leases of this node that it has not ended
   */
  public ClaimAnswer claim(ClaimRequest request, Collection<Long> held) throws SQLException {
    Duration timeout = database.config().statementTimeout();
    return claim(request, held, new Patience(timeout, timeout));
  }

  /**
   * Takes due jobs under a new lease.
   *
   * @param held the leases of this node that it has not ended
   * @throws SQLException with the state 55P03 if the queue's lock was not free in time, 57014 if
   *     the claim itself took too long
   */
  public ClaimAnswer claim(ClaimRequest request, Collection<Long> held, Patience patience)
      throws SQLException {
    Progress progress = queues.computeIfAbsent(request.queue(), _ -> new Progress());
    progress.usedNanos = nanoTime.getAsLong();
    forgetUnused(progress.usedNanos);
    progress.cursor.retainLeases(held);
    try (Connection connection = database.connection()) {
      Claim.Result result = new Attempt(connection, request, patience, progress, nanoTime).claim();
      Claim.ClaimedBatch taken = result.taken();
      if (taken != null) {
        Lease lease = taken.lease();
        progress.cursor.advance(lease.id(), lease.claimedAt(), taken.batch());
      }
      return new ClaimAnswer(
          Optional.ofNullable(taken).map(Claim.ClaimedBatch::lease),
          result.size() == result.asked(),
          result.configured(),
          result.limited(),
          result.closedFor(),
          result.full());
    }
  }

  private void forgetUnused(long now) {
    if (now - forgotNanos > FORGET_AFTER.toNanos() / 10) {
      forgotNanos = now;
      queues.values().removeIf(progress -> now - progress.usedNanos > FORGET_AFTER.toNanos());
    }
  }

  /** One claim on one connection. */
  private record Attempt(
      Connection connection,
      ClaimRequest request,
      Patience patience,
      Progress progress,
      LongSupplier nanoTime) {

    Claim.Result claim() throws SQLException {
      long start = nanoTime.getAsLong();
      return progress.isFullScanDue(start) ? fullScan(start) : claim(progress.cursor);
    }

    /** A full scan that was too slow counts: the next claims go on from the cursor meanwhile. */
    private Claim.Result fullScan(long start) throws SQLException {
      try {
        Claim.Result result = claim(new ScanCursor());
        if (isScanned(result, progress.cursor)) {
          progress.scanned(start, nanoTime.getAsLong());
        }
        return result;
      } catch (SQLException e) {
        if (SqlStates.isTooSlow(e)) {
          progress.scanned(start, nanoTime.getAsLong());
        }
        throw e;
      }
    }

    /** Claims as fits the queue of last time, and once more if that no longer fits. */
    private Claim.Result claim(ScanCursor from) throws SQLException {
      Claim.Result result = claim(from, progress.limited);
      if (result.limited() == progress.limited) {
        return result;
      }
      progress.limited = result.limited();
      return claim(from, progress.limited);
    }

    private Claim.Result claim(ScanCursor from, boolean limited) throws SQLException {
      return limited
          ? LimitedClaim.claim(connection, request, patience, from)
          : Claim.claim(connection, request, patience, from);
    }

    /**
     * Whether everything before the cursor was read. Nothing was if limits let nothing through; and
     * a batch that is full before it comes to the cursor leaves the rest to the next full scan,
     * which follows at once.
     */
    private static boolean isScanned(Claim.Result result, ScanCursor cursor) {
      Claim.ClaimedBatch taken = result.taken();
      return taken == null
          ? result.asked() > 0
          : result.size() < result.asked() || !cursor.isBefore(taken.batch());
    }
  }
}
