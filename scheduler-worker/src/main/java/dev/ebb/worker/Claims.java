package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Patience;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A claim from one queue: room for its jobs, the claim, and their start. */
final class Claims {
  private static final int MOST_PER_CLAIM = 500;

  private final WorkerConfig config;
  private final List<String> kinds;
  private final Claimer claimer;
  private final LimitedQueues limited;
  private final JobExecutor executor;
  private final Meters meters;
  private final ClaimFailures failures = new ClaimFailures(System::nanoTime);
  private volatile boolean draining;
  private volatile boolean paused = true;

  Claims(
      WorkerConfig config,
      List<String> kinds,
      Claimer claimer,
      LimitedQueues limited,
      JobExecutor executor,
      Meters meters) {
    this.config = config;
    this.kinds = kinds;
    this.claimer = claimer;
    this.limited = limited;
    this.executor = executor;
    this.meters = meters;
  }

  /** Whether there is room for a job that may be claimed. */
  boolean hasRoom() {
    return mayClaim() && executor.hasRoom();
  }

  private boolean mayClaim() {
    return !draining && !paused;
  }

  /** What keeps claims from succeeding; {@code null} for nothing. */
  @Nullable String trouble() {
    return failures.trouble();
  }

  /** Has claims end, or begin again; answers whether that is news. */
  boolean drain(boolean draining) {
    boolean isNews = this.draining != draining;
    this.draining = draining;
    return isNews;
  }

  /** Has claims end while the cluster's start is paused; they have not begun before this. */
  void pause(boolean paused) {
    this.paused = paused;
  }

  /** The result of a claim. */
  enum ClaimYield {
    /** The node is full, or the queue has its share of it. */
    NO_ROOM,
    /** There may be more to claim at once. */
    MAY_HAVE_MORE,
    /** There is nothing more to claim now. */
    NOTHING_MORE
  }

  /** Claims what there is room for, and starts it. A queue is for one thread at a time. */
  ClaimYield claim(String queue, Patience patience) throws SQLException {
    int reserved = mayClaim() ? executor.reserve(queue, MOST_PER_CLAIM) : 0;
    if (reserved == 0) {
      return ClaimYield.NO_ROOM;
    }
    long askedNanos = System.nanoTime();
    Lease lease = null;
    try {
      ClaimAnswer answer = answer(queue, reserved, patience);
      lease = answer.lease().orElse(null);
      return mayHaveMore(queue, answer) ? ClaimYield.MAY_HAVE_MORE : ClaimYield.NOTHING_MORE;
    } finally {
      start(queue, reserved, lease, askedNanos);
    }
  }

  private ClaimAnswer answer(String queue, int most, Patience patience) throws SQLException {
    limited.asking(queue);
    long bytes = (long) most * NewJob.MAX_PAYLOAD_BYTES;
    ClaimRequest request =
        new ClaimRequest(queue, config.node(), kinds, most, bytes, config.lease());
    ClaimAnswer answer = timed(request, patience);
    limited.answered(queue, answer);
    meters.answered(queue, answer.configured());
    return answer;
  }

  private ClaimAnswer timed(ClaimRequest request, Patience patience) throws SQLException {
    long began = System.nanoTime();
    try {
      ClaimAnswer answer = claimer.claim(request, executor.leases(), patience);
      failures.succeeded();
      return answer;
    } catch (SQLException | RuntimeException e) {
      failures.failed(e);
      throw e;
    } finally {
      meters.claimTook(System.nanoTime() - began);
    }
  }

  private void start(String queue, int reserved, @Nullable Lease lease, long askedNanos) {
    if (lease == null) {
      executor.giveBack(queue, reserved);
    } else {
      meters.claimed(queue, lease);
      executor.start(queue, reserved, lease, askedNanos);
    }
  }

  private boolean mayHaveMore(String queue, ClaimAnswer answer) {
    // A job that ended meanwhile made room after the claim had looked.
    boolean mayGoOn = answer.lease().isPresent() ? answer.mayHaveMore() : answer.full();
    return mayGoOn && !limited.isClosed(queue);
  }
}
