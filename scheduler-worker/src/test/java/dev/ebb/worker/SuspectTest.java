package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.NewJob;
import dev.ebb.core.Outcome;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Jobs whose last attempt lost its worker, and that have one left. */
class SuspectTest {

  @Test
  void no_suspect_starts_before_the_settlement_of_the_one_before_it_is_written() throws Exception {
    LinkedBlockingQueue<UUID> started = new LinkedBlockingQueue<>();
    CountDownLatch go = new CountDownLatch(1);
    try (WorkerBench bench = new WorkerBench()) {
      UUID first = suspect(bench);
      UUID second = suspect(bench);
      bench.start(context -> {
        started.add(context.job().id());
        go.await();
        return Outcome.completed();
      });
      assertThat(next(started)).isEqualTo(first);

      UUID innocent;
      try (Connection blocker = TestPostgres.connect(bench.config);
          Statement statement = blocker.createStatement()) {
        blocker.setAutoCommit(false);
        statement.execute("lock table ebb.history in share mode");
        go.countDown();
        Await.until(
            "its settle waits",
            () -> bench.count("pg_locks where not granted and locktype = 'relation'") > 0);
        // Claimed behind the second suspect, if that one may be.
        innocent = bench.submit("{}");
        assertThat(next(started)).isEqualTo(innocent);
      }

      assertThat(next(started)).isEqualTo(second);
    }
  }

  private static UUID suspect(WorkerBench bench) throws Exception {
    UUID id =
        bench.submit(
            NewJob.builder(WorkerBench.KIND, "{}")
                .maxAttempts(2)
                .policy(WorkerBench.QUICK)
                .build());
    bench.execute("update ebb.job set lost = true, attempt = 1, version = 1");
    return id;
  }

  private static UUID next(LinkedBlockingQueue<UUID> started) throws InterruptedException {
    UUID id = started.poll(Duration.ofSeconds(20).toSeconds(), TimeUnit.SECONDS);
    assertThat(id).as("a started job").isNotNull();
    return id;
  }
}
