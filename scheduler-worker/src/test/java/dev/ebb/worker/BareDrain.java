package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The worker's own statements from two threads that do nothing else: the engine's yardstick. */
final class BareDrain {
  private static final int CLIENTS = 2;

  private BareDrain() {}

  /** Drains the default queue and answers the jobs per second. */
  static double run(DatabaseConfig config, String node, int batch) throws Exception {
    AtomicInteger drained = new AtomicInteger();
    try (Database database = Database.open(config)) {
      JobQueue jobs = new JobQueue(database);
      long start = System.nanoTime();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofPlatform().start(() -> drained.addAndGet(drain(jobs, node, batch))));
      }
      for (Thread client : clients) {
        client.join();
      }
      return drained.get() / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static int drain(JobQueue jobs, String node, int batch) {
    ClaimRequest request =
        ClaimRequest.of(
            NewJob.DEFAULT_QUEUE, node, List.of(WorkerBench.KIND), batch, Duration.ofMinutes(1));
    int drained = 0;
    try {
      for (Optional<Lease> lease = jobs.claim(request);
          lease.isPresent();
          lease = jobs.claim(request)) {
        List<FinishedAttempt> done =
            lease.get().jobs().stream().map(job -> settled(job, node)).toList();
        drained += done.size() - jobs.settle(done, List.of(lease.get().id())).size();
      }
      return drained;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static FinishedAttempt settled(ClaimedJob claimed, String node) {
    return new FinishedAttempt(
        claimed,
        Outcome.completed(),
        new Settlement.Complete(),
        node,
        System.nanoTime(),
        Duration.ZERO,
        null);
  }
}
