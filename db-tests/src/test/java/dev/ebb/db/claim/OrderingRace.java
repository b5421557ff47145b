package dev.ebb.db.claim;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that submit, claim, settle and cancel jobs of a few ordering keys, all at once. A job's
 * payload tells its key and its place in it.
 */
final class OrderingRace {
  private static final int KEYS = 12;
  private static final int JOBS_PER_KEY = 60;
  private static final int SUBMITTERS = 3;
  private static final int CLAIMERS = 4;

  private final Database database;
  private final JobQueue jobs;
  private final Map<Integer, AtomicInteger> running = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> reached = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<UUID> submitted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger submitting = new AtomicInteger(SUBMITTERS);
  private final AtomicInteger doubles = new AtomicInteger();
  private final AtomicInteger disorder = new AtomicInteger();
  private final long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
  private volatile boolean isOver;

  private OrderingRace(Database database) {
    this.database = database;
    this.jobs = new JobQueue(database);
  }

  /**
   * The result of a race.
   *
   * @param doubles how often a job started while another of its key ran
   * @param disorder how often one started after a later one of its key
   * @param left how many did not end
   */
  record Result(int doubles, int disorder, int left) {}

  /** Prints the numbers of the result. */
  public static void main(String[] args) throws Exception {
    Result result = run(DatabaseConfig.of(args[0], "postgres", "postgres"));
    System.out.println(result.doubles() + " " + result.disorder() + " " + result.left());
  }

  static Result run(DatabaseConfig config) throws Exception {
    try (Database database = TestPostgres.open(config)) {
      OrderingRace race = new OrderingRace(database);
      race.run();
      return new Result(race.doubles.get(), race.disorder.get(), race.left());
    }
  }

  private void run() throws Exception {
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < SUBMITTERS; i++) {
      int first = i;
      parts.add(() -> submitAll(first));
    }
    for (int i = 0; i < CLAIMERS; i++) {
      String node = "node-" + i;
      parts.add(() -> claimAll(node));
    }
    parts.add(this::meddle);
    try (ExecutorService threads = Executors.newFixedThreadPool(parts.size())) {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    }
  }

  private int left() throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(connection, "select count(*) from ebb.job", _ -> {}, row -> row.getInt(1)));
  }

  private Void submitAll(int first) throws SQLException {
    for (int place = 0; place < JOBS_PER_KEY; place++) {
      for (int key = first; key < KEYS; key += SUBMITTERS) {
        NewJob job =
            NewJob.builder("echo", Integer.toString(key * JOBS_PER_KEY + place))
                .orderingKey("key-" + key)
                .build();
        submitted.add(jobs.submit(List.of(job)).getFirst().id());
      }
    }
    submitting.decrementAndGet();
    return null;
  }

  private Void claimAll(String node) throws SQLException {
    Claimer claimer = new Claimer(database);
    Random random = new Random(node.hashCode());
    ClaimRequest request =
        ClaimRequest.of(NewJob.DEFAULT_QUEUE, node, List.of("echo"), 5, Bench.LEASE);
    while (!isOver) {
      Lease lease = claimer.claim(request, List.of()).lease().orElse(null);
      if (lease != null) {
        lease.jobs().forEach(this::starts);
        settle(lease, node, random);
      }
    }
    return null;
  }

  private static int key(ClaimedJob claimed) {
    return Integer.parseInt(claimed.job().payload()) / JOBS_PER_KEY;
  }

  private AtomicInteger runningOf(ClaimedJob claimed) {
    return running.computeIfAbsent(key(claimed), _ -> new AtomicInteger());
  }

  private void starts(ClaimedJob claimed) {
    if (runningOf(claimed).incrementAndGet() > 1) {
      doubles.incrementAndGet();
    }
    int place = Integer.parseInt(claimed.job().payload());
    Integer before = reached.put(key(claimed), place);
    if (before != null && before > place) {
      disorder.incrementAndGet();
    }
  }

  private void settle(Lease lease, String node, Random random) throws SQLException {
    List<FinishedAttempt> batch =
        lease.jobs().stream().map(claimed -> settled(claimed, node, random)).toList();
    // From here on the next ones may start.
    lease.jobs().forEach(claimed -> runningOf(claimed).decrementAndGet());
    while (true) {
      try {
        jobs.settle(batch, List.of(lease.id()));
        return;
      } catch (SQLException e) {
        if (!SqlStates.isLocked(e)) {
          throw e;
        }
      }
    }
  }

  private static FinishedAttempt settled(ClaimedJob claimed, String node, Random random) {
    int chance = random.nextInt(10);
    Settlement settlement =
        chance < 6
            ? new Settlement.Complete()
            : chance < 9
                ? new Settlement.Retry(Duration.ZERO, Bench.failure("http_500"))
                : new Settlement.DeadLetter("given up", Bench.failure("http_500"));
    Outcome outcome = chance < 6 ? Outcome.completed() : Outcome.failed("http_500", "no");
    return new FinishedAttempt(
        claimed, outcome, settlement, node, System.nanoTime(), Duration.ZERO, null);
  }

  /** Cancels some of the jobs, and gives others a priority, until all have ended. */
  private Void meddle() throws SQLException {
    JobChanges changes = new JobChanges(database);
    for (int i = 0; !isOver; i++) {
      UUID id = submitted.poll();
      if (id != null) {
        changes.act(
            id, i % 7 == 0 ? new JobAction.Cancel() : new JobAction.SetPriority(i % 10), Bench.ACT);
      } else {
        isOver = (submitting.get() == 0 && left() == 0) || System.nanoTime() - deadline > 0;
      }
    }
    return null;
  }
}
