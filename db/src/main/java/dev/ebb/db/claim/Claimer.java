package dev.ebb.db.claim;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    Progress(long now) {
      this.usedNanos = now;
    }

    boolean isFullScanDue(long now) {
      return nanosUntilFullScan(now) <= 0;
    }

    private long nanosUntilFullScan(long now) {
      return scannedNanos == null ? 0 : scannedNanos + pauseNanos() - now;
    }

    private long pauseNanos() {
      long share = FULL_SCAN_SHARE * scanTookNanos;
      return Math.clamp(share, FULL_SCAN_EVERY.toNanos(), FULL_SCAN_AT_LEAST_EVERY.toNanos());
    }

    /**
     * When to claim again for what lies before the cursor; zero if scans are slow: a look tells.
     */
    Duration scanIn(long now) {
      boolean isSlow = pauseNanos() == FULL_SCAN_AT_LEAST_EVERY.toNanos();
      return isSlow ? Duration.ZERO : Duration.ofNanos(Math.max(1, nanosUntilFullScan(now)));
    }

    void scanned(long now, long took) {
      scannedNanos = now;
      scanTookNanos = took;
    }

    /** Whether a full scan has claimed everything before the cursor, as far as it is due. */
    boolean isScanned(Claim.Result result) {
      // A batch that is full before it comes to the cursor leaves the rest to the next full scan,
      // which follows at once.
      return result.part().tookAll() || (result.size() > 0 && !cursor.isBefore(result.batch()));
    }
  }

  public Claimer(Database database) {
    this(database, System::nanoTime);
  }

  /** The same by another clock. */
  Claimer(Database database, LongSupplier nanoTime) {
    StoredSettings.load();
    this.database = database;
    this.nanoTime = nanoTime;
    this.forgotNanos = nanoTime.getAsLong();
  }

  /**
   * Takes due jobs of one queue under a new lease, with the timeouts of the session.
   *
   * @param held the leases of this node that it has not ended
   */
  public ClaimAnswer claim(ClaimRequest request, Collection<Long> held) throws SQLException {
    Duration timeout = database.config().statementTimeout();
    return claim(request, held, new Patience(timeout, timeout)).values().iterator().next();
  }

  /**
   * Takes due jobs, those of each queue under a new lease.
   *
   * @param held the leases of this node that it has not ended
   * @return by queue; a queue whose lock was not free is not there, but waited for if it is alone
   * @throws SQLException with the state 55P03 if the lock of a single queue was not free in time,
   *     57014 if the claim itself took too long
   */
  public Map<String, ClaimAnswer> claim(
      ClaimRequest request, Collection<Long> held, Patience patience) throws SQLException {
    long start = nanoTime.getAsLong();
    forgetUnused(start);
    Set<Long> leases = Set.copyOf(held);
    Map<String, Progress> asked = new HashMap<>();
    Map<String, ScanCursor> from = new HashMap<>();
    for (String queue : request.most().keySet()) {
      Progress progress = queues.computeIfAbsent(queue, _ -> new Progress(start));
      progress.usedNanos = start;
      progress.cursor.retainLeases(leases);
      asked.put(queue, progress);
      if (!progress.isFullScanDue(start)) {
        from.put(queue, progress.cursor);
      }
    }
    Map<String, Claim.Result> results = results(request, from, patience, asked, start);
    long took = (nanoTime.getAsLong() - start) / asked.size();
    Map<String, ClaimAnswer> answers = new LinkedHashMap<>();
    asked.forEach((queue, progress) -> {
      Claim.Result result = results.get(queue);
      if (result != null) {
        boolean isFullScan = !from.containsKey(queue);
        long now = nanoTime.getAsLong();
        if (isFullScan && progress.isScanned(result)) {
          progress.scanned(now, took);
        }
        Duration scanIn = isFullScan ? Duration.ZERO : progress.scanIn(now);
        answers.put(queue, answer(progress, result, scanIn));
      }
    });
    return answers;
  }

  /**
   * A full scan of a queue alone that was too slow counts: the next claims go on from the cursor
   * meanwhile. Of several it is not known which was slow.
   */
  private Map<String, Claim.Result> results(
      ClaimRequest request,
      Map<String, ScanCursor> from,
      Patience patience,
      Map<String, Progress> asked,
      long start)
      throws SQLException {
    try (Connection connection = database.connection()) {
      return Claim.claim(connection, request, from, patience);
    } catch (SQLException e) {
      if (SqlStates.isTooSlow(e) && asked.size() == 1) {
        long now = nanoTime.getAsLong();
        asked.forEach((queue, progress) -> {
          if (!from.containsKey(queue)) {
            progress.scanned(now, now - start);
          }
        });
      }
      throw e;
    }
  }

  private static ClaimAnswer answer(Progress progress, Claim.Result result, Duration scanIn) {
    Part part = result.part();
    Lease lease = result.lease();
    if (lease != null) {
      // Not when it was claimed: what committed since then was not seen.
      Instant lookedAt = part.jobs().getFirst().lookedAt();
      progress.cursor.advance(lease.id(), lookedAt, result.batch());
    }
    Limiters.LimiterView view = part.seen().view();
    return new ClaimAnswer(
        Optional.ofNullable(lease),
        result.size() == Math.min(part.let(), part.seen().asked()),
        view != null,
        view != null && view.isLimited(),
        part.closedFor(),
        part.full(),
        scanIn);
  }

  private void forgetUnused(long now) {
    if (now - forgotNanos > FORGET_AFTER.toNanos() / 10) {
      forgotNanos = now;
      queues.values().removeIf(progress -> now - progress.usedNanos > FORGET_AFTER.toNanos());
    }
  }
}
