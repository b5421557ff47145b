package dev.ebb.db.claim;

import dev.ebb.db.connection.Patience;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verb claim: due jobs of some queues, each queue's under one new lease.
 *
 * <p>A claim does not write the jobs' rows. It inserts lease rows that name them, each at the
 * version that its row has, and a job is claimed while a lease names it at its version:
 *
 * <pre>
 *   job    id  version  run_at …           lease  id  job_ids    versions  expires_at
 *          j1  0        12:00   ◀───────────────  71  {j1, j2}   {0, 3}    12:00:15
 *          j2  4        12:07      names 3: free
 * </pre>
 *
 * <p>So the claimers of one queue take its lock: each has to see the leases of those before it.
 * Under the lock, in one transaction of two round trips however many queues there are, the limiter
 * is asked, the jobs are claimed, and the permits that they used are written:
 *
 * <pre>
 *   Look ──locks: limits, states, due jobs──▶ Part: permits ──▶ Take ──leases, states──▶ commit
 * </pre>
 *
 * <p>A queue whose lock another claim has is skipped, unless it is the only one: so no claim waits
 * for another's batch.
 *
 * <p>The commit does not wait for the disk, but where {@link Part#mustLast a crash must not forget
 * it}. A server that crashes may forget a lease: then its token is not live and its jobs are free,
 * while they may still run. Their node learns of it when it renews.
 */
public final class Claim {
  private static final Patience REHEARSED =
      new Patience(Duration.ofSeconds(1), Duration.ofSeconds(5));

  private Claim() {}

  /** What a claim took from a queue, and the lease on it; {@code null} for nothing. */
  record Result(Part part, @Nullable Lease lease) {
    int size() {
      return part.jobs().size();
    }

    /** The last job of each priority: they come in claim order. */
    ScanCursor.Batch batch() {
      ScanCursor.Batch batch = new ScanCursor.Batch();
      part.jobs().forEach(due -> batch.put(due.job().priority(), due.runAt(), due.job().id()));
      return batch;
    }
  }

  /**
   * Claims what lies behind these places.
   *
   * @return the result of each queue whose lock was free
   */
  static Map<String, Result> claim(
      Connection connection, ClaimRequest request, Map<String, Look.Place> from, Patience patience)
      throws SQLException {
    connection.setAutoCommit(false);
    Map<String, Part> parts = new LinkedHashMap<>();
    Look.at(connection, request, from, patience)
        .forEach((queue, seen) -> parts.put(queue, Part.of(queue, seen, request.timeout())));
    Map<String, Lease> leases = Map.of();
    if (parts.values().stream().anyMatch(Claim::writes)) {
      leases = Take.write(connection, request, parts);
    } else {
      connection.rollback();
    }
    Map<String, Result> results = new LinkedHashMap<>();
    for (Map.Entry<String, Part> part : parts.entrySet()) {
      results.put(part.getKey(), new Result(part.getValue(), leases.get(part.getKey())));
    }
    return results;
  }

  /** Does everything that a claim does, and takes nothing: no queue has a space in its name. */
  static void rehearse(Connection connection, ClaimRequest request) throws SQLException {
    connection.setAutoCommit(false);
    Look.at(connection, request, Map.of(), REHEARSED);
    var _ =
        Part.of(
            " ",
            Look.Seen.of(1, Limiters.LimiterView.of(StoredSettings.example())),
            request.timeout());
    var _ = Take.write(connection, request, Map.of());
  }

  private static boolean writes(Part part) {
    return part.state() != null || !part.jobs().isEmpty();
  }
}
