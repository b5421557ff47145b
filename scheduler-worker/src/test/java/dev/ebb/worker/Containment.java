package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.Submitter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A node with a disturbance in one place, and jobs that have nothing to do with it. */
final class Containment implements AutoCloseable {
  private static final long EVERY_MILLIS = 50;

  final WorkerBench bench = new WorkerBench();
  final Notifier notifier = bench.notifier();
  final CountDownLatch mayEnd = new CountDownLatch(1);
  private final Submitter submitter = new Submitter(bench.database, notifier);
  private final Connection stranger = TestPostgres.connect(bench.config);
  private final ConcurrentHashMap<String, Long> startedNanos = new ConcurrentHashMap<>();
  private int submits;

  Containment() throws SQLException {
    bench.start(
        WorkerBench.settings().withConcurrency(200),
        context -> {
          if (context.job().queue().equals(Disturbance.BAD)) {
            mayEnd.await();
          } else {
            startedNanos.put(context.job().payload(), System.nanoTime());
          }
          return Outcome.completed();
        });
  }

  /** Leaves the transaction open. */
  void asStranger(String sql) throws SQLException {
    stranger.setAutoCommit(false);
    try (Statement statement = stranger.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Submits jobs one after another to queues of their own, and answers how long each waited from
   * its submit to its start, in milliseconds, in order.
   */
  List<Double> waits(int jobs) throws Exception {
    Map<String, Long> submittedNanos = new LinkedHashMap<>();
    for (int i = 0; i < jobs; i++) {
      String payload = "\"" + ++submits + "\"";
      submitter.submit(
          NewJob.builder(WorkerBench.KIND, payload).queue("others-" + submits % 7).build());
      submittedNanos.put(payload, System.nanoTime());
      new CountDownLatch(1).await(EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
    List<Double> waits = new ArrayList<>();
    for (Map.Entry<String, Long> submitted : submittedNanos.entrySet()) {
      String payload = submitted.getKey();
      Await.until(
          "job " + payload + " starts",
          Duration.ofMinutes(1),
          () -> startedNanos.containsKey(payload));
      waits.add((startedNanos.getOrDefault(payload, 0L) - submitted.getValue()) / 1e6);
    }
    Collections.sort(waits);
    return waits;
  }

  /** Waits until the jobs that were waited for are settled, too. */
  void awaitSettled() throws Exception {
    Await.until(
        "the others are settled",
        Duration.ofMinutes(1),
        () -> bench.count("ebb.history where queue like 'others-%'") == submits);
  }

  @Override
  public void close() throws SQLException {
    stranger.close();
    mayEnd.countDown();
    submitter.close();
    notifier.close();
    bench.close();
  }
}
