package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.Ebb;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Proof;
import dev.ebb.db.Sabotage;
import dev.ebb.db.connection.Database;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The synchronous standby is away while many jobs are due, and then it is promoted: whatever was
 * delivered meanwhile is delivered again.
 */
@Proof
class BacklogPromotionTest {
  private static final int JOBS = 4_000;
  private static final int BATCH = 500;
  private static final int NODES = 2;
  private static final int CONCURRENCY = 20;
  private static final int MANY = 10 * NODES * CONCURRENCY;
  private static final int AWAY_SECONDS = 15;

  private static final RetryPolicy SOON =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(200), 2, Duration.ofSeconds(1))),
          100);

  @Test
  void no_more_is_delivered_twice_than_the_nodes_have_slots() throws Exception {
    assertThat(deliveredTwice(Sabotage.java(Ebb.class, "worker"), 0))
        .isLessThanOrEqualTo(NODES * CONCURRENCY);
  }

  @Test
  void control_without_a_bound_of_what_is_not_stored_hundreds_are_delivered_twice()
      throws Exception {
    List<String> unbound =
        Sabotage.javaWithAnswer(
            "dev.ebb.worker.JobExecutor", "unstoredRoom", Integer.MAX_VALUE, Ebb.class, "worker");

    assertThat(deliveredTwice(unbound, MANY)).isGreaterThan(5 * NODES * CONCURRENCY);
  }

  /**
   * How many were, after the standby was away until at least so many were delivered that could not
   * be stored.
   */
  private static long deliveredTwice(List<String> worker, int unstored) throws Exception {
    try (Merchant merchant = new Merchant(Duration.ofMillis(50));
        Failover failover = new Failover();
        NodeProcess first = node(worker, failover);
        NodeProcess second = node(worker, failover)) {
      failover.makeSynchronous();
      submit(failover, merchant);
      Await.until("jobs are delivered", () -> merchant.answered() >= NODES * CONCURRENCY);
      failover.cut();
      int before = merchant.answered();
      new CountDownLatch(1).await(AWAY_SECONDS, TimeUnit.SECONDS);
      Await.until("jobs are delivered", () -> merchant.answered() - before >= unstored);
      int meanwhile = merchant.answered() - before;
      failover.killPrimary();
      failover.promote();
      failover.awaitEveryJobEnded();
      assertThat(merchant.answered()).isEqualTo(JOBS);
      System.out.printf(
          Locale.ROOT,
          "%d of %d jobs delivered while the standby was away, %d of all of them twice%n",
          meanwhile,
          JOBS,
          merchant.answeredTwice());
      return merchant.answeredTwice();
    }
  }

  private static NodeProcess node(List<String> command, Failover failover) throws Exception {
    return NodeProcess.start(
        command,
        failover.database(),
        Map.of(
            "EBB_CONCURRENCY",
            Integer.toString(CONCURRENCY),
            "EBB_LEASE",
            "5s",
            "EBB_DELIVERY_ALLOW",
            "127.0.0.0/8"));
  }

  private static void submit(Failover failover, Merchant merchant) throws Exception {
    try (Database database = Database.open(failover.database())) {
      for (int from = 0; from < JOBS; from += BATCH) {
        new JobQueue(database)
            .submit(
                IntStream.range(from, from + BATCH)
                    .mapToObj(i -> job(merchant.url("backlog-" + i)))
                    .toList());
      }
    }
  }

  private static NewJob job(String url) {
    return NewJob.builder("http", "{\"url\":\"" + url + "\"}").policy(SOON).build();
  }
}
