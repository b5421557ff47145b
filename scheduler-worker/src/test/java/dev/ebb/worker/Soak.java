package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.stats.Attempts;
import dev.ebb.db.stats.Recount;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Worker processes under SIGKILL and SIGSTOP, and a checker over what the database and the merchant
 * remember.
 */
final class Soak implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(3);

  private static final int NODES = 4;
  private static final int JOBS_PER_SECOND = 60;

  /** Ticks of 50 ms from burst to burst, and the jobs of one. */
  private static final int BURST_EVERY = 80;

  private static final int BURST = 300;

  /** So many late settles show whether the fence is there, even if a few of them are failures. */
  private static final int LATE_SETTLES = 5;

  /** How much longer a run may take that had fewer. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(4);

  private static final RetryPolicy POLICY =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(50), 2, Duration.ofMillis(500))),
          1000);

  private final WorkerBench bench = new WorkerBench();
  private final Merchant merchant;
  private final Cluster cluster;
  private final List<Cluster.Member> alive = new ArrayList<>();
  private final Set<UUID> acknowledged = Collections.synchronizedSet(new HashSet<>());
  private final Orphans orphans = new Orphans(bench.config);
  private final Random random;
  private final CountDownLatch over = new CountDownLatch(1);
  private int kills;
  private int pauses;

  /**
   * What the checker found.
   *
   * @param settledTwice attempts that were settled more than once
   * @param misnumbered jobs whose attempts are not numbered 1, 2, 3 and so on
   * @param unheard jobs that are completed and of which the merchant answered no call well
   * @param miscounted counters of the statistics that differ from a recount
   * @param refused settles that the fence kept out
   * @param recoveryMillis from a kill until the job was claimed again, 99th percentile
   * @param slowest what happened around the job that it took longest for
   */
  record Findings(
      int acknowledged,
      int lost,
      int settledTwice,
      int misnumbered,
      int unheard,
      int miscounted,
      long refused,
      int kills,
      int pauses,
      int orphans,
      long recoveryMillis,
      long calls,
      String slowest) {}

  Soak(Cluster.Guards guards, long seed) throws IOException {
    this.random = new Random(seed);
    this.merchant = new Merchant(0.05, Duration.ofMillis(400));
    this.cluster = new Cluster(bench.config, merchant.url(), LEASE, guards);
  }

  private static final String WAITING =
      """
      ebb.job
      where run_at < clock_timestamp() - interval '100 milliseconds'
        and (id, version) not in (select id, version from ebb.leased)
      """;

  /**
   * Runs for that long, until a killed node lost jobs and settles came too late, or until somebody
   * broke a promise.
   */
  Findings run(Duration length) throws Exception {
    orphans.open();
    for (int i = 0; i < NODES; i++) {
      alive.add(cluster.start());
    }
    Thread submitter = Thread.ofPlatform().start(this::submit);
    Await.until(
        "the nodes work, and have caught up",
        () -> merchant.callsInAll() > 50 && bench.count(WAITING) == 0);
    long end = System.nanoTime() + length.toNanos();
    while (Attempts.settledTwice(bench.config).isEmpty() && !isEnough(System.nanoTime() - end)) {
      disturb();
    }
    over.countDown();
    submitter.join();
    Await.until("every job has ended", () -> bench.count("ebb.job") == 0);
    // A paused node that went on late may still be settling in vain.
    over.await(500, TimeUnit.MILLISECONDS);
    return check();
  }

  private boolean isEnough(long nanosOver) throws IOException, SQLException {
    boolean sawAll = orphans.count() > 0 && cluster.refused() >= LATE_SETTLES;
    return nanosOver >= 0 && (sawAll || nanosOver > LONGEST_WAIT.toNanos());
  }

  /** In small batches, one by one, and now and then more than two of the nodes can start. */
  private void submit() {
    NewJob job = NewJob.builder(WorkerBench.KIND, "{}").policy(POLICY).build();
    try (Submitter submitter = new Submitter(bench.database, null)) {
      for (int tick = 0; !over.await(50, TimeUnit.MILLISECONDS); tick++) {
        acknowledged.add(submitter.submit(job).id());
        int size = tick % BURST_EVERY == 0 ? BURST : JOBS_PER_SECOND / 20;
        List<NewJob> batch = Collections.nCopies(size, job);
        bench.jobs.submit(batch).stream().map(Submitted::id).forEach(acknowledged::add);
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills a node and starts another, or pauses one beyond its lease; then lets things settle. */
  private void disturb() throws Exception {
    Cluster.Member victim = alive.remove(random.nextInt(alive.size()));
    if (random.nextBoolean()) {
      kill(victim);
      alive.add(cluster.start());
      await(500 + random.nextInt(1500));
    } else {
      pauses++;
      cluster.pause(victim);
      orphans.note("paused " + victim.name());
      await(LEASE.toMillis() + 1_000 + random.nextInt(1_500));
      cluster.goOn(victim);
      orphans.note("went on " + victim.name());
      alive.add(victim);
      await(500);
    }
  }

  private void kill(Cluster.Member victim) throws Exception {
    kills++;
    cluster.kill(victim);
    orphans.killed(victim.name(), System.nanoTime());
  }

  private void await(long millis) throws InterruptedException {
    over.await(millis, TimeUnit.MILLISECONDS);
  }

  private Findings check() throws SQLException, IOException {
    Set<UUID> ended = new HashSet<>(Attempts.ids(bench.config, "select id from ebb.history"));
    ended.addAll(Attempts.ids(bench.config, "select id from ebb.dead_letter"));
    Set<UUID> lost = new HashSet<>(acknowledged);
    lost.removeAll(ended);
    List<UUID> completed =
        Attempts.ids(bench.config, "select id from ebb.history where not cancelled");
    return new Findings(
        acknowledged.size(),
        lost.size(),
        Attempts.settledTwice(bench.config).size(),
        Attempts.misnumbered(bench.config).size(),
        (int) completed.stream().filter(this::isUnheard).count(),
        miscounted(),
        cluster.refused(),
        kills,
        pauses,
        orphans.count(),
        orphans.recoveryMillis(),
        merchant.callsInAll(),
        orphans.slowest());
  }

  private int miscounted() throws SQLException {
    Map<String, Long> counted = Recount.ofTheStatistics(bench.config);
    Map<String, Long> recounted = Recount.ofTheJobs(bench.config);
    Set<String> counters = new HashSet<>(counted.keySet());
    counters.addAll(recounted.keySet());
    counters.removeIf(counter -> Objects.equals(counted.get(counter), recounted.get(counter)));
    return counters.size();
  }

  private boolean isUnheard(UUID job) {
    return merchant.calls(job).stream().noneMatch(Merchant.Call::answeredOk);
  }

  @Override
  public void close() {
    cluster.close();
    merchant.close();
    bench.close();
  }
}
