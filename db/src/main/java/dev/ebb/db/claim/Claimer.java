package dev.ebb.db.claim;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.trace.Traces;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one node: each goes on where the one before it ended, and now and then one scans
 * from the beginning. A queue is for one thread at a time, and always asked for the same kinds.
 *
 * <p>A claim that threw may have left a lease that nobody here knows; its jobs are not claimed
 * twice, and come back when it expires.
 */
public final class Claimer {
  /**
   * A queue that was not claimed from for this long is forgotten: its next claim is a full scan.
   */
  private static final Duration FORGET_AFTER = Duration.ofMinutes(10);

  private final Database database;
  private final Traces traces;
  private final Map<String, QueueProgress> queues = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private volatile long forgotNanos;

  public Claimer(Database database) {
    this(database, Traces.OFF);
  }

  /** The same, whose claims are traced. */
  public Claimer(Database database, Traces traces) {
    this(database, traces, System::nanoTime);
  }

  /** The same by another clock. */
  Claimer(Database database, LongSupplier nanoTime) {
    this(database, Traces.OFF, nanoTime);
  }

  private Claimer(Database database, Traces traces, LongSupplier nanoTime) {
    this.database = database;
    this.traces = traces;
    this.nanoTime = nanoTime;
    this.forgotNanos = nanoTime.getAsLong();
  }

  /**
   * Goes through a claim of nothing. What a process and a connection do for the first time takes a
   * tenth of a second or two, for which nobody should hold a queue's lock: this takes one that is
   * the node's own.
   */
  public void rehearse(String node, List<String> kinds, Duration lease) throws SQLException {
    try (Connection connection = database.connection()) {
      Claim.rehearse(connection, ClaimRequest.of(" " + node, node, kinds, 1, lease));
    }
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
    Map<String, QueueProgress> asked = new LinkedHashMap<>();
    Map<String, Look.Place> from = new HashMap<>();
    for (String queue : request.most().keySet()) {
      QueueProgress progress = queues.computeIfAbsent(queue, _ -> new QueueProgress(start));
      asked.put(queue, progress);
      from.put(queue, progress.begin(start, leases));
    }
    Map<String, Claim.Result> results = results(request, from, patience, asked.values());
    long now = nanoTime.getAsLong();
    long took = (now - start) / asked.size();
    Map<String, ClaimAnswer> answers = new LinkedHashMap<>();
    asked.forEach((queue, progress) -> {
      Claim.Result result = results.get(queue);
      if (result != null) {
        trace(request.node(), queue, result.lease(), now - start);
        boolean goesOn = progress.end(result, now, took);
        answers.put(queue, answer(result, goesOn, progress.scanIn(now)));
      }
    });
    return answers;
  }

  private void trace(String node, String queue, @Nullable Lease lease, long tookNanos) {
    if (traces.areOn() && lease != null) {
      List<@Nullable String> submits = new ArrayList<>();
      lease.jobs().forEach(claimed -> submits.add(claimed.traceparent()));
      traces.claimed(node, queue, tookNanos, submits);
    }
  }

  private Map<String, Claim.Result> results(
      ClaimRequest request,
      Map<String, Look.Place> from,
      Patience patience,
      Collection<QueueProgress> asked)
      throws SQLException {
    try (Connection connection = database.connection()) {
      return Claim.claim(connection, request, from, patience);
    } catch (SQLException e) {
      // Of several it is not known which was slow.
      if (SqlStates.isTooSlow(e) && asked.size() == 1) {
        asked.iterator().next().wasTooSlow(nanoTime.getAsLong());
      }
      throw e;
    }
  }

  private static ClaimAnswer answer(Claim.Result result, boolean goesOn, Duration scanIn) {
    Part part = result.part();
    boolean isFull = result.size() == Math.min(part.let(), part.seen().asked());
    Limiters.LimiterView view = part.seen().view();
    return new ClaimAnswer(
        Optional.ofNullable(result.lease()),
        goesOn || result.parkedMany() || (result.lease() != null && isFull),
        view != null,
        view != null && view.isLimited(),
        view == null ? QueueSettings.DEFAULT_WEIGHT : view.weight(),
        part.closedFor(),
        part.full(),
        part.contended(),
        scanIn);
  }

  private void forgetUnused(long now) {
    if (now - forgotNanos > FORGET_AFTER.toNanos() / 10) {
      forgotNanos = now;
      queues.values().removeIf(progress -> progress.unusedNanos(now) > FORGET_AFTER.toNanos());
    }
  }
}
