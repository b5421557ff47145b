package dev.ebb.worker;

import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A claim from some queues: room for their jobs, the claim, and their start. */
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

  /** For how many jobs that may be claimed there is room. */
  int room() {
    return mayClaim() ? executor.room() : 0;
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

  /**
   * Goes through a claim of nothing, so that the first one takes no longer than the next. If that
   * fails for a reason of its own, no claim need wait for it.
   */
  void rehearse() throws SQLException {
    try {
      claimer.rehearse(config.node(), kinds, config.lease());
      failures.succeeded();
    } catch (SQLException e) {
      if (SqlStates.isOfTheServer(e)) {
        failures.failed(e);
        throw e;
      }
    }
  }

  /** What there is left. */
  enum ClaimYield {
    /** The node is full, or the queue has its share of it. */
    NO_ROOM,
    /** Another claim has the queue's lock. */
    LOCKED,
    /** There may be more to claim at once. */
    MAY_HAVE_MORE,
    /** There is nothing more to claim now. */
    NOTHING_MORE
  }

  /**
   * The result of a claim for a queue.
   *
   * @param scanIn when to claim again for what this claim could not see; zero for never
   */
  record Came(ClaimYield what, Duration scanIn) {
    Came(ClaimYield what) {
      this(what, Duration.ZERO);
    }
  }

  /** Claims what there is room for, and starts it. A queue is for one thread at a time. */
  Map<String, Came> claim(List<String> queues, Patience patience) throws SQLException {
    SequencedMap<String, Integer> reserved =
        mayClaim() ? executor.reserve(queues, MOST_PER_CLAIM) : new LinkedHashMap<>();
    long askedNanos = System.nanoTime();
    Map<String, ClaimAnswer> answers = Map.of();
    try {
      answers = reserved.isEmpty() ? Map.of() : answers(reserved, patience);
      return yields(queues, reserved.keySet(), answers);
    } finally {
      start(reserved, answers, askedNanos);
    }
  }

  private Map<String, ClaimAnswer> answers(SequencedMap<String, Integer> most, Patience patience)
      throws SQLException {
    most.keySet().forEach(limited::asking);
    ClaimRequest request =
        new ClaimRequest(
            config.node(), kinds, config.lease(), executor.longestUsualTimeout(), most);
    Map<String, ClaimAnswer> answers = timed(request, patience);
    answers.forEach((queue, answer) -> {
      limited.answered(queue, answer);
      executor.weigh(queue, answer.weight());
      meters.answered(queue, answer.configured());
    });
    return answers;
  }

  private Map<String, ClaimAnswer> timed(ClaimRequest request, Patience patience)
      throws SQLException {
    long began = System.nanoTime();
    try {
      Map<String, ClaimAnswer> answers = claimer.claim(request, executor.leases(), patience);
      failures.succeeded();
      return answers;
    } catch (SQLException | RuntimeException e) {
      failures.failed(e);
      throw e;
    } finally {
      meters.claimTook(System.nanoTime() - began);
    }
  }

  private void start(
      Map<String, Integer> reserved, Map<String, ClaimAnswer> answers, long askedNanos) {
    reserved.forEach((queue, room) -> {
      ClaimAnswer answer = answers.get(queue);
      Lease lease = answer == null ? null : answer.lease().orElse(null);
      if (lease == null) {
        executor.giveBack(queue, room);
      } else {
        meters.claimed(queue, lease);
        executor.start(queue, room, lease, askedNanos);
      }
    });
  }

  private Map<String, Came> yields(
      List<String> queues, Set<String> withRoom, Map<String, ClaimAnswer> answers) {
    Map<String, Came> yields = new HashMap<>();
    for (String queue : queues) {
      ClaimAnswer answer = answers.get(queue);
      ClaimYield without = withRoom.contains(queue) ? ClaimYield.LOCKED : ClaimYield.NO_ROOM;
      yields.put(queue, answer == null ? new Came(without) : cameOf(queue, answer));
    }
    return yields;
  }

  private Came cameOf(String queue, ClaimAnswer answer) {
    // A job that ended meanwhile made room after the claim had looked.
    boolean mayGoOn = answer.mayHaveMore() || (answer.lease().isEmpty() && answer.full());
    return mayGoOn && !limited.isClosed(queue)
        ? new Came(ClaimYield.MAY_HAVE_MORE)
        : new Came(ClaimYield.NOTHING_MORE, answer.scanIn());
  }
}
