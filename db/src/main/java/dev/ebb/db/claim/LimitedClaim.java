package dev.ebb.db.claim;

import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.Shortage;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.queue.Limiters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The verb claim, for a queue with limits: in one transaction, and under the queue's lock, the
 * limiter is asked, the jobs are claimed, and the permits that they used are written.
 *
 * <pre>
 *   lock: limits, state, clock ──▶ permits ──▶ claim of as many ──▶ state, if some were used
 * </pre>
 *
 * <p>No permits are handed out: a permit is a claimed job. So none can be lost with a node, and
 * there is nothing to give back. A job whose policy's deadline has passed uses none: it ends
 * without its handler.
 *
 * <p>Unlike that of other claims, the commit waits for the disk where a crash of the server must
 * not forget it: permits that take longer to pay for than any crash takes, and leases that count
 * against {@code maxConcurrency}. The next claim waits for that commit, too, and a disk can be
 * slow; so permits that are paid for within moments may be forgotten.
 */
final class LimitedClaim {
  /** How long a queue with {@code maxConcurrency} jobs in flight is left alone. */
  private static final Duration FULL = Duration.ofMillis(100);

  /** No server that crashed is back sooner. */
  private static final Duration LASTS = Duration.ofMillis(2 * WarmUpLimiter.BURST_MILLIS);

  private LimitedClaim() {}

  /** Claims what lies behind the cursor, as much of it as the limits let through. */
  static Claim.Result claim(
      Connection connection, ClaimRequest request, Patience patience, ScanCursor from)
      throws SQLException {
    connection.setAutoCommit(false);
    Limiters.LimiterView seen = Limiters.lock(connection, request.queue(), patience, true);
    Claim.Result result =
        seen == null || !seen.isLimited()
            ? Claim.Result.unlimited(seen != null)
            : claim(connection, request, from, seen);
    connection.commit();
    return result;
  }

  private static Claim.Result claim(
      Connection connection, ClaimRequest request, ScanCursor from, Limiters.LimiterView seen)
      throws SQLException {
    int room = Math.min(Claim.most(request), free(seen));
    if (seen.rate() == null || room == 0) {
      return take(connection, request, from, room, seen);
    }
    WarmUpLimiter limiter = new WarmUpLimiter(seen.rate());
    WarmUpLimiter.Grant grant = limiter.take(seen.state(), seen.now(), room);
    Duration untilNext = Duration.between(seen.now(), grant.askAgainAt());
    Claim.Result result = take(connection, request, from, grant.permits(), seen);
    int used = result.inTime();
    boolean all = used == grant.permits();
    LimiterState after = all ? grant.state() : limiter.take(seen.state(), seen.now(), used).state();
    // If the clock was set back, the state changes without a permit: unless it is written, the next
    // claim waits as long again.
    if (used > 0 || after.nextFreeAt().isBefore(seen.state().nextFreeAt())) {
      Limiters.write(
          connection,
          request.queue(),
          after,
          shortage(limiter, after, seen),
          mustLast(seen, after));
    }
    boolean isClosed = all && used < room && untilNext.isPositive();
    return isClosed ? result.closedFor(untilNext) : result;
  }

  /** The last shortage, which begins or goes on where these permits were the last. */
  private static @Nullable Shortage shortage(
      WarmUpLimiter limiter, LimiterState after, Limiters.LimiterView seen) {
    boolean isUsedUp = limiter.take(after, seen.now(), 1).permits() == 0;
    return isUsedUp ? Shortage.after(seen.shortage(), after, seen.now()) : seen.shortage();
  }

  private static boolean mustLast(Limiters.LimiterView seen, LimiterState after) {
    Instant soon = seen.now().plus(LASTS);
    return seen.maxConcurrency() != null || after.nextFreeAt().isAfter(soon);
  }

  private static Claim.Result take(
      Connection connection,
      ClaimRequest request,
      ScanCursor from,
      int most,
      Limiters.LimiterView seen)
      throws SQLException {
    Claim.ClaimedBatch taken = most == 0 ? null : Claim.take(connection, request, from, most, seen);
    boolean full = free(seen) == (taken == null ? 0 : taken.size());
    return new Claim.Result(taken, most, true, true, full ? FULL : Duration.ZERO, full);
  }

  /** How many more may be in flight. */
  private static int free(Limiters.LimiterView seen) {
    Integer most = seen.maxConcurrency();
    return most == null ? Integer.MAX_VALUE : Math.max(0, most - seen.inFlight());
  }
}
