package dev.ebb.db.claim;

import dev.ebb.db.connection.Patience;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
 * <p>A job is claimed only if it is the first of its ordering key, and no other of the key runs; a
 * third round trip {@linkplain Park parks} those that it met behind the first, if there are any.
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

  /**
   * The result of a claim for a queue.
   *
   * @param lease on what it took; {@code null} for nothing
   * @param parked how many jobs it moved out of the claims' way
   */
  record Result(Part part, @Nullable Lease lease, int parked) {
    int size() {
      return part.jobs().size();
    }

    /** Whether more may be in the way than it could move at once. */
    boolean parkedMany() {
      return parked > 0 && part.seen().due().blocked().size() >= Turn.MOST_BLOCKED;
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
    List<UUID> blocked = blocked(parts.values());
    Map<String, Integer> parked = blocked.isEmpty() ? Map.of() : Park.park(connection, blocked);
    boolean writes = !parked.isEmpty() || parts.values().stream().anyMatch(Claim::writes);
    Map<String, Lease> leases = writes ? Take.write(connection, request, parts) : Map.of();
    if (!writes) {
      connection.rollback();
    }
    Map<String, Result> results = new LinkedHashMap<>();
    parts.forEach((queue, part) ->
        results.put(queue, new Result(part, leases.get(queue), parked.getOrDefault(queue, 0))));
    return results;
  }

  /** Does everything that a claim does, and takes nothing: no queue has a space in its name. */
  static void rehearse(Connection connection, ClaimRequest request) throws SQLException {
    connection.setAutoCommit(false);
    Look.at(connection, request, Map.of(), REHEARSED);
    Look.at(connection, request, Look.inTurn(request, Map.of()), REHEARSED);
    var _ =
        Part.of(
            " ",
            Look.Seen.of(1, Limiters.LimiterView.of(StoredSettings.example())),
            request.timeout());
    var _ = Park.park(connection, List.of());
    var _ = Take.write(connection, request, Map.of());
  }

  private static List<UUID> blocked(Collection<Part> parts) {
    return parts.stream().flatMap(part -> part.seen().due().blocked().stream()).toList();
  }

  private static boolean writes(Part part) {
    return part.state() != null || !part.jobs().isEmpty();
  }
}
