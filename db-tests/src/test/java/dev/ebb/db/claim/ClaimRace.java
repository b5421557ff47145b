package dev.ebb.db.claim;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.Settle;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * 200 claimers with a connection each over 10,000 jobs, each of which fails once and then
 * completes.
 */
final class ClaimRace {
  static final int JOBS = 10_000;
  private static final int CLAIMERS = 200;

  private final DatabaseConfig config;
  private final ConcurrentHashMap<String, AtomicInteger> claims = new ConcurrentHashMap<>();
  private final AtomicInteger completed = new AtomicInteger();
  private final long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);

  private ClaimRace(DatabaseConfig config) {
    this.config = config;
  }

  /** How often an attempt was claimed by more than one, and how many jobs completed. */
  record Result(long doubles, int completed) {}

  /** Prints both numbers of the result. */
  public static void main(String[] args) throws Exception {
    Result result = run(DatabaseConfig.of(args[0], "postgres", "postgres"));
    System.out.println(result.doubles() + " " + result.completed());
  }

  static Result run(DatabaseConfig config) throws Exception {
    ClaimRace race = new ClaimRace(config);
    race.fill();
    race.race();
    long doubles = race.claims.values().stream().filter(n -> n.get() > 1).count();
    return new Result(doubles, race.completed.get());
  }

  private void fill() throws SQLException {
    try (Connection connection = TestPostgres.connect(config)) {
      for (int i = 0; i < JOBS / 1000; i++) {
        JobQueue.submit(connection, Collections.nCopies(1000, NewJob.of("echo", "{}")));
      }
    }
  }

  private void race() throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> claimers = new ArrayList<>();
    for (int i = 0; i < CLAIMERS; i++) {
      String node = "node-" + i;
      claimers.add(Thread.ofPlatform().start(() -> claimAll(node, start)));
    }
    start.countDown();
    for (Thread claimer : claimers) {
      claimer.join();
    }
  }

  private void claimAll(String node, CountDownLatch start) {
    try (Connection connection = TestPostgres.connect(config)) {
      ScanCursor cursor = new ScanCursor();
      start.await();
      // Two claims from where the last one came to, then a full scan.
      for (int i = 0; completed.get() < JOBS && System.nanoTime() - deadline < 0; i++) {
        claimSome(connection, node, i % 3 == 0 ? new ScanCursor() : cursor, cursor);
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void claimSome(Connection connection, String node, ScanCursor from, ScanCursor cursor)
      throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(NewJob.DEFAULT_QUEUE, node, List.of("echo"), 20, Bench.LEASE);
    Look.Place place = new Look.Place(from, LeaseFloor.NONE, false);
    Map<String, Look.Place> places = Map.of(NewJob.DEFAULT_QUEUE, place);
    Claim.Result taken =
        Claim.claim(connection, request, places, Bench.PATIENT).values().iterator().next();
    Lease lease = taken.lease();
    if (lease == null) {
      return;
    }
    cursor.advance(lease.id(), lease.claimedAt(), taken.batch());
    List<FinishedAttempt> batch =
        lease.jobs().stream().map(claimed -> settled(claimed, node)).toList();
    List<FinishedAttempt> refused = Settle.settle(connection, batch, List.of(lease.id()));
    connection.commit();
    completed.addAndGet(completions(batch) - completions(refused));
  }

  private static int completions(List<FinishedAttempt> batch) {
    return (int)
        batch.stream()
            .filter(settled -> settled.settlement() instanceof Settlement.Complete)
            .count();
  }

  private FinishedAttempt settled(ClaimedJob claimed, String node) {
    UUID id = claimed.job().id();
    int attempt = claimed.job().attempt();
    claims.computeIfAbsent(id + " " + attempt, _ -> new AtomicInteger()).incrementAndGet();
    boolean first = attempt == 1;
    return new FinishedAttempt(
        claimed,
        first ? Outcome.failed("http_500", "no") : Outcome.completed(),
        first
            ? new Settlement.Retry(Duration.ZERO, Bench.failure("http_500"))
            : new Settlement.Complete(),
        node,
        System.nanoTime(),
        Duration.ZERO,
        null);
  }
}
