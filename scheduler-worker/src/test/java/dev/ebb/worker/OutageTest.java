package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.submit.Submitted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A database that goes away under load. */
@Proof
class OutageTest {
  private static final RetryPolicy PATIENT =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(20), 2, Duration.ofMillis(200))),
          1000);

  private static final List<String> NODES = List.of("a", "b");

  /** A server of its own, two nodes that work on it, and somebody who submits all the time. */
  private static final class Load implements AutoCloseable {
    final TestPostgres postgres = TestPostgres.start();
    private final Set<UUID> acknowledged = Collections.synchronizedSet(new HashSet<>());
    private final ConcurrentHashMap<String, Long> lastStartNanos = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final WorkerBench bench = new WorkerBench(postgres.newDatabase());
    private final Thread submitter = Thread.ofPlatform().unstarted(this::submitUntilOver);

    Load() throws Exception {
      for (String node : NODES) {
        bench.start(WorkerBench.settings().withNode(node).withConcurrency(20), _ -> handle(node));
      }
      submitter.start();
      Await.until("both nodes work", () -> lastStartNanos.size() == NODES.size());
    }

    private Outcome handle(String node) throws InterruptedException {
      lastStartNanos.put(node, System.nanoTime());
      new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
      return Outcome.completed();
    }

    private void submitUntilOver() {
      try {
        while (!over.await(20, TimeUnit.MILLISECONDS)) {
          submit();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void submit() {
      NewJob job = NewJob.builder(WorkerBench.KIND, "{}").policy(PATIENT).build();
      try {
        bench.jobs.submit(Collections.nCopies(4, job)).stream()
            .map(Submitted::id)
            .forEach(acknowledged::add);
      } catch (SQLException e) {
        // Not acknowledged: the caller would send it again.
      }
    }

    void awaitFor(Duration length) throws InterruptedException {
      assertThat(over.await(length.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    }

    void awaitStartsAfter(long nanos, Duration atMost) throws Exception {
      for (String node : NODES) {
        Await.until(
            "node " + node + " works again",
            atMost,
            () -> lastStartNanos.getOrDefault(node, 0L) - nanos > 0);
      }
    }

    void awaitEveryJobEndedAndNoneLost() throws Exception {
      over.countDown();
      submitter.join();
      Await.until("every job has ended", () -> bench.count("ebb.job") == 0);
      Set<UUID> lost = new HashSet<>(acknowledged);
      try (Connection connection = TestPostgres.connect(bench.config);
          Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery("select id from ebb.history where not cancelled")) {
        while (rows.next()) {
          lost.remove(rows.getObject(1, UUID.class));
        }
      }
      assertThat(lost).isEmpty();
      assertThat(acknowledged).isNotEmpty();
    }

    @Override
    public void close() {
      over.countDown();
      bench.close();
      postgres.close();
    }
  }

  @Test
  void a_database_that_is_gone_for_twenty_seconds_loses_nothing_and_nodes_are_back_in_five()
      throws Exception {
    Judged.holds(
        "how soon nodes are back after an outage",
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (Load load = new Load()) {
            load.postgres.stop();
            load.awaitFor(Duration.ofSeconds(20));
            load.postgres.restart();
            long backNanos = System.nanoTime();

            Optional<AssertionError> missed =
                Judged.missed(() -> load.awaitStartsAfter(backNanos, Duration.ofSeconds(5)));
            load.awaitStartsAfter(backNanos, Duration.ofMinutes(2));
            load.awaitEveryJobEndedAndNoneLost();
            return missed;
          }
        });
  }

  @Test
  void connections_that_are_cut_in_mid_flight_lose_nothing() throws Exception {
    try (Load load = new Load()) {
      for (int cuts = 0; cuts < 20; cuts++) {
        load.postgres.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ebb'");
        load.awaitFor(Duration.ofMillis(200));
      }

      load.awaitEveryJobEndedAndNoneLost();
    }
  }
}
