package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Backoff;
import dev.ebb.core.Growth;
import dev.ebb.core.NewJob;
import dev.ebb.core.Outcome;
import dev.ebb.core.RetryPolicy;
import dev.ebb.db.Submitted;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database that goes away under load. */
class OutageTest {
  private static final RetryPolicy PATIENT =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(20), 2, Duration.ofMillis(200))),
          1000);

  private final Set<UUID> acknowledged = Collections.synchronizedSet(new HashSet<>());
  private final ConcurrentHashMap<String, Long> lastStartNanos = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private TestPostgres postgres;
  private WorkerBench bench;

  @BeforeEach
  void open() {
    postgres = TestPostgres.start();
    bench = new WorkerBench(postgres.newDatabase());
    for (String node : List.of("a", "b")) {
      bench.start(
          WorkerBench.settings().withNode(node).withConcurrency(20),
          _ -> {
            lastStartNanos.put(node, System.nanoTime());
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            return Outcome.completed();
          });
    }
  }

  @AfterEach
  void close() {
    bench.close();
    postgres.close();
  }

  private void submitUntilOver() {
    try {
      while (!over.await(20, TimeUnit.MILLISECONDS)) {
        try {
          List<NewJob> batch =
              Collections.nCopies(
                  4, NewJob.builder(WorkerBench.KIND, "{}").policy(PATIENT).build());
          bench.jobs.submit(batch).stream().map(Submitted::id).forEach(acknowledged::add);
        } catch (SQLException e) {
          // Not acknowledged: the caller would send it again.
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitEveryJobEndedAndNoneLost() throws Exception {
    over.countDown();
    Await.until("every job has ended", Duration.ofMinutes(1), () -> bench.count("ebb.job") == 0);
    Set<UUID> lost = new HashSet<>(acknowledged);
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from ebb.history where not cancelled")) {
      while (rows.next()) {
        lost.remove(rows.getObject(1, UUID.class));
      }
    }
    assertThat(lost).isEmpty();
    assertThat(acknowledged).isNotEmpty();
  }

  @Test
  void a_database_that_is_gone_for_twenty_seconds_loses_nothing_and_nodes_are_back_in_five()
      throws Exception {
    Thread submitter = Thread.ofPlatform().start(this::submitUntilOver);
    Await.until("both nodes work", () -> lastStartNanos.size() == 2);

    postgres.stop();
    assertThat(over.await(20, TimeUnit.SECONDS)).isFalse();
    postgres.restart();
    long backNanos = System.nanoTime();

    for (String node : List.of("a", "b")) {
      Await.until(
          "node " + node + " works again",
          Duration.ofSeconds(5),
          () -> lastStartNanos.getOrDefault(node, 0L) - backNanos > 0);
    }
    awaitEveryJobEndedAndNoneLost();
    submitter.join();
  }

  @Test
  void connections_that_are_cut_in_mid_flight_lose_nothing() throws Exception {
    Thread submitter = Thread.ofPlatform().start(this::submitUntilOver);
    Await.until("both nodes work", () -> lastStartNanos.size() == 2);

    for (int cuts = 0; cuts < 20; cuts++) {
      postgres.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ebb'");
      over.await(200, TimeUnit.MILLISECONDS);
    }

    awaitEveryJobEndedAndNoneLost();
    submitter.join();
  }
}
