package dev.ebb.db;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobReads;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A database of its own with the verbs at hand, for the tests of the state machine. */
public final class Bench implements AutoCloseable {
  public static final Duration LEASE = Duration.ofSeconds(15);
  public static final Patience PATIENT = new Patience(LEASE, LEASE);
  public static final String QUEUE = NewJob.DEFAULT_QUEUE;
  private static final String WAITING =
      "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

  public static final Act ACT = Act.onMachine("test");

  public final DatabaseConfig config;
  public final Database database;
  public final JobQueue jobs;
  public final JobChanges changes;
  public final JobReads reads;

  /** One whose statements may take as long as a busy machine needs. */
  public Bench() {
    this(TestPostgres.shared().newDatabase().withStatementTimeout(Duration.ofSeconds(30)));
  }

  public Bench(DatabaseConfig config) {
    this.config = config;
    this.database = TestPostgres.open(config);
    this.jobs = new JobQueue(database);
    this.changes = new JobChanges(database);
    this.reads = new JobReads(database);
  }

  public UUID submit(NewJob job) throws SQLException {
    return jobs.submit(List.of(job)).getFirst().id();
  }

  /** The job's attempts, oldest first. */
  public List<AttemptView> attempts(UUID id) throws SQLException {
    return reads.attempts(id, null, 200).attempts();
  }

  public UUID submitOne() throws SQLException {
    return submit(NewJob.of("echo", "{}"));
  }

  public Optional<Lease> tryClaim(int most) throws SQLException {
    return claimAs("node", most, LEASE);
  }

  public Lease claim(int most) throws SQLException {
    return tryClaim(most).orElseThrow();
  }

  public ClaimedJob claimOne() throws SQLException {
    return claim(1).jobs().getFirst();
  }

  public Optional<Lease> claimAs(String node, int most, Duration lease) throws SQLException {
    return jobs.claim(ClaimRequest.of(QUEUE, node, List.of("echo"), most, lease));
  }

  /**
   * Settles one job, whose lease is thereby ended, and answers whether the fence let it through.
   */
  public boolean settle(ClaimedJob claimed, Outcome outcome, Settlement settlement)
      throws SQLException {
    return settle(claimed, outcome, settlement, List.of(claimed.fencingToken()));
  }

  public boolean settle(
      ClaimedJob claimed, Outcome outcome, Settlement settlement, List<Long> ended)
      throws SQLException {
    FinishedAttempt settled =
        new FinishedAttempt(
            claimed, outcome, settlement, "node", System.nanoTime(), Duration.ofMillis(3), null);
    return jobs.settle(List.of(settled), ended).isEmpty();
  }

  /** Completes every job of the lease and ends it. */
  public void completeAll(Lease lease) throws SQLException {
    List<FinishedAttempt> batch =
        lease.jobs().stream()
            .map(claimed ->
                new FinishedAttempt(
                    claimed,
                    Outcome.completed(),
                    new Settlement.Complete(),
                    "node",
                    System.nanoTime(),
                    Duration.ZERO,
                    null))
            .toList();
    if (!jobs.settle(batch, List.of(lease.id())).isEmpty()) {
      throw new IllegalStateException("the fence kept some out");
    }
  }

  public boolean complete(ClaimedJob claimed) throws SQLException {
    return settle(claimed, Outcome.completed(), new Settlement.Complete());
  }

  public boolean fail(ClaimedJob claimed, Settlement settlement) throws SQLException {
    return settle(claimed, Outcome.failed("http_500", "no"), settlement);
  }

  public boolean retryAtOnce(ClaimedJob claimed) throws SQLException {
    return fail(claimed, new Settlement.Retry(Duration.ZERO, failure("http_500")));
  }

  public boolean deadLetter(ClaimedJob claimed) throws SQLException {
    return fail(
        claimed, new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, failure("http_500")));
  }

  public static dev.ebb.core.job.Failure failure(String reason) {
    return new dev.ebb.core.job.Failure(reason, "no");
  }

  /** Rescues what expired, and answers how many jobs that were. */
  public int rescueAll() throws SQLException {
    return rescue(new Settlement.Retry(Duration.ZERO, failure("worker_lost"))).size();
  }

  /** Rescues what expired, with the same settlement for all. */
  public List<FinishedAttempt> rescue(Settlement settlement) throws SQLException {
    return jobs.rescue(100, jobs.expiry().now(), (claimed, lost, now) -> settlement);
  }

  /** Makes every lease look expired. */
  public void expireLeases() throws SQLException {
    execute("update ebb.lease set expires_at = now() - interval '1 second'");
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The queues with due jobs of the kind, of all or of some. */
  public List<String> queuesWithWork(String kind, @Nullable List<String> among)
      throws SQLException {
    return new WorkFinder(database)
        .find(List.of(kind), among, WorkFinder.Place.BEGINNING, Integer.MAX_VALUE, LEASE)
        .queues();
  }

  /** Has the server count what statements touch; autovacuum does not touch the jobs meanwhile. */
  public void countBlocks() throws SQLException {
    execute("create extension pg_stat_statements");
    execute("alter table ebb.job set (autovacuum_enabled = off)");
    resetBlocks();
  }

  /** Has the server count anew what statements of this database touch. */
  public void resetBlocks() throws SQLException {
    ManyJobs.resetBlocks(config);
  }

  /** Blocks that statements of that pattern touched, of whatever table, since they are counted. */
  public long blocks(String pattern) throws SQLException {
    return ManyJobs.blocks(config, pattern);
  }

  public long count(String table) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Waits until the table, or what else stands behind {@code from}, has a row. */
  public void awaitRow(String from, Duration atMost) throws SQLException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (count(from) == 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("within " + atMost + " there was no row in " + from);
      }
    }
  }

  /** Waits until the work has ended, or as many sessions as that wait for a lock. */
  public void awaitEndOrLocks(Future<?> work, int waiting) throws Exception {
    Await.until("it waits or has ended", () -> work.isDone() || count(WAITING) == waiting);
  }

  @Override
  public void close() {
    database.close();
  }
}
