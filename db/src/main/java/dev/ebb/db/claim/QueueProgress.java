package dev.ebb.db.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the claims of one node have come in one queue, and where the next one begins.
 *
 * <pre>
 *   from the cursor                                          ├───▶
 *   a full scan        ├──────────────────────────────────────────▶
 *   in stretches       ├───────▶├───────▶├───────▶ …
 *   the recent                                       ├────────────▶
 * </pre>
 *
 * <p>Full scans find what turned up before the cursor; other claims go on from it. A full scan that
 * comes to the end of its stretch before it comes to the cursor, because much is claimed already or
 * of kinds that this node does not serve, goes on from there the next time, in turns with scans of
 * the last two seconds before the cursor, where most of what turns up does.
 */
final class QueueProgress {
  /** A job before the cursor waits about this long. */
  private static final Duration FULL_SCAN_EVERY = Duration.ofMillis(100);

  /** Full scans use at most 1/20 of the time. */
  private static final int FULL_SCAN_SHARE = 20;

  /** But each waits no longer than this for the next. */
  private static final Duration FULL_SCAN_AT_LEAST_EVERY = Duration.ofSeconds(2);

  private static final Duration RECENT = Duration.ofSeconds(2);

  private enum Turn {
    FROM_THE_CURSOR,
    FULL_SCAN,
    RECENT
  }

  private final ScanCursor cursor = new ScanCursor();
  private LeaseFloor leases = LeaseFloor.NONE;
  private boolean ordered;
  private Turn turn = Turn.FULL_SCAN;
  private volatile long usedNanos;
  private @Nullable Long scannedNanos;
  private long scanTookNanos;

  /** How far the stretches of a full scan have come; {@code null} while none goes on. */
  private @Nullable ScanCursor swept;

  private boolean isTurnOfRecent;

  /** Of a queue that was not claimed from. */
  QueueProgress(long now) {
    this.usedNanos = now;
  }

  /** For how long there was no claim. */
  long unusedNanos(long now) {
    return now - usedNanos;
  }

  /** Begins a claim, at that time of a node that holds these leases; answers from where. */
  Look.Place begin(long now, Set<Long> held) {
    usedNanos = now;
    cursor.retainLeases(held);
    boolean isScanDue = nanosUntilScan(now) <= 0;
    Turn scan = swept != null && isTurnOfRecent ? Turn.RECENT : Turn.FULL_SCAN;
    turn = isScanDue ? scan : Turn.FROM_THE_CURSOR;
    return new Look.Place(from(), leases.at(now), ordered);
  }

  private ScanCursor from() {
    return switch (turn) {
      case FROM_THE_CURSOR -> cursor;
      case FULL_SCAN -> swept == null ? new ScanCursor() : swept;
      case RECENT -> cursor.before(RECENT);
    };
  }

  private long nanosUntilScan(long now) {
    return scannedNanos == null ? 0 : scannedNanos + pauseNanos() - now;
  }

  private long pauseNanos() {
    long share = FULL_SCAN_SHARE * scanTookNanos;
    return Math.clamp(share, FULL_SCAN_EVERY.toNanos(), FULL_SCAN_AT_LEAST_EVERY.toNanos());
  }

  /**
   * When to claim again for what this claim could not see; zero after a scan, and if scans are
   * slow: a look tells.
   */
  Duration scanIn(long now) {
    boolean isSlow = pauseNanos() == FULL_SCAN_AT_LEAST_EVERY.toNanos();
    return isSlow || turn != Turn.FROM_THE_CURSOR
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(1, nanosUntilScan(now)));
  }

  /** The claim took too long: if it was a scan, the next ones go on from the cursor meanwhile. */
  void wasTooSlow(long now) {
    if (turn != Turn.FROM_THE_CURSOR) {
      scanned(now, unusedNanos(now));
    }
  }

  private void scanned(long now, long took) {
    isTurnOfRecent = turn == Turn.FULL_SCAN && swept != null;
    scannedNanos = now;
    scanTookNanos = took;
  }

  /**
   * Ends the claim.
   *
   * @param took how much of the time since it began was its own
   * @return whether its stretch ended before all that is due, and another claim gets further
   */
  boolean end(Claim.Result result, long now, long took) {
    boolean isCut = isCut(result);
    boolean isOver = isCut || reachesTheCursor(result);
    if (turn == Turn.FULL_SCAN) {
      sweep(result);
    }
    boolean isFurther = advance(result);
    if (turn != Turn.FROM_THE_CURSOR && isOver) {
      scanned(now, took);
    }
    // After a scan the next one goes on from the cursor.
    return isCut && (isFurther || turn != Turn.FROM_THE_CURSOR);
  }

  /** Whether a stretch ended before the claim was full. */
  private static boolean isCut(Claim.Result result) {
    Part part = result.part();
    return part.tookAllSeen() && result.size() < part.seen().asked() && !ends(result).isEmpty();
  }

  /** Where stretches ended; none while there is something that the claim saw and did not take. */
  private static ScanCursor.Batch ends(Claim.Result result) {
    Part part = result.part();
    return part.tookAllSeen() ? part.seen().due().ends() : new ScanCursor.Batch();
  }

  /**
   * Whether a scan leaves nothing that is due before the cursor. A batch that is full before it
   * comes there leaves the rest to the next scan, which follows at once.
   */
  private boolean reachesTheCursor(Claim.Result result) {
    return result.part().tookAll() || (result.size() > 0 && !cursor.isBefore(result.batch()));
  }

  private void sweep(Claim.Result result) {
    ScanCursor next = swept == null ? new ScanCursor() : swept;
    next.goOn(ends(result), scannedTo(result));
    swept = next.isAtTheBeginning() ? null : next;
  }

  /** The last priority that was scanned up to the cursor or to an end; -1 for none. */
  private int scannedTo(Claim.Result result) {
    Part part = result.part();
    List<DueJob> jobs = part.jobs();
    if (part.tookAllSeen() && jobs.size() < part.seen().asked()) {
      return ScanCursor.PRIORITIES - 1;
    }
    int last = jobs.isEmpty() ? 0 : jobs.getLast().job().priority();
    return jobs.isEmpty() || cursor.isBefore(result.batch(), last) ? last - 1 : last;
  }

  /** Answers whether the cursor got further. */
  private boolean advance(Claim.Result result) {
    DueJobs due = result.part().seen().due();
    Instant lookedAt = due.lookedAt();
    if (lookedAt == null) {
      return false;
    }
    leases = LeaseFloor.of(due.firstLease(), lookedAt, usedNanos);
    ordered = due.ordered();
    boolean isFurther = false;
    if (result.lease() != null) {
      // Not when it was claimed: what committed since then was not seen.
      isFurther = cursor.advance(result.lease().id(), lookedAt, result.batch());
    }
    if (turn != Turn.RECENT) {
      isFurther |= cursor.pass(lookedAt, ends(result));
    }
    return isFurther;
  }
}
