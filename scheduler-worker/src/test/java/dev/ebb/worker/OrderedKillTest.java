package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Proof;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs with ordering keys on two worker processes, of which one dies again and again. */
@Proof
class OrderedKillTest {
  private static final int KEYS = 20;
  private static final int JOBS_PER_KEY = 40;
  private static final int KILLS = 3;

  /** No living node stalls so long: its calls would come beside those of the one that took over. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static final RetryPolicy AT_ONCE =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(20), 1, Duration.ofMillis(20))),
          1000);

  private final WorkerBench bench = new WorkerBench();
  private OrderedMerchant merchant;

  @BeforeEach
  void submitAll() throws Exception {
    merchant = new OrderedMerchant(KEYS, JOBS_PER_KEY);
    for (int place = 0; place < JOBS_PER_KEY; place++) {
      List<NewJob> ofAllKeys = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        ofAllKeys.add(job(key, place));
      }
      bench.jobs.submit(ofAllKeys);
    }
  }

  @AfterEach
  void close() {
    merchant.close();
    bench.close();
  }

  private static NewJob job(int key, int place) {
    return NewJob.builder(WorkerBench.KIND, Integer.toString(key * JOBS_PER_KEY + place))
        .orderingKey("key-" + key)
        .policy(AT_ONCE)
        .build();
  }

  private void awaitEnd() throws Exception {
    Await.until("every job has ended", () -> bench.count("ebb.job") == 0);
  }

  private long lost() throws SQLException {
    return bench.count("ebb.attempt where failure_reason = 'worker_lost'");
  }

  /** Kills one of the nodes while it runs jobs, and starts another in its place. */
  private void kill(Cluster cluster, List<Cluster.Member> alive, int after) throws Exception {
    Await.until("so many calls", () -> merchant.calls() >= after);
    cluster.kill(alive.removeFirst());
    alive.add(cluster.start());
  }

  @Test
  void killed_nodes_leave_each_key_in_its_order_with_one_at_a_time_and_nothing_stuck()
      throws Exception {
    try (Cluster cluster = new Cluster(bench.config, merchant.url(), LEASE, Cluster.Guards.ALL)) {
      List<Cluster.Member> alive = new ArrayList<>(List.of(cluster.start(), cluster.start()));
      for (int i = 1; i <= KILLS; i++) {
        kill(cluster, alive, i * KEYS * JOBS_PER_KEY / (KILLS + 1));
      }
      awaitEnd();
    }

    assertThat(merchant.disorder()).as("calls out of their order").isZero();
    assertThat(merchant.doubles()).as("calls beside another of the key").isZero();
    assertThat(merchant.hasAll()).isTrue();
    assertThat(lost()).as("attempts of killed nodes").isPositive();
  }

  @Test
  void control_without_the_guard_of_the_claim_keys_lose_their_order() throws Exception {
    try (Cluster cluster =
        new Cluster(bench.config, merchant.url(), LEASE, Cluster.Guards.NO_TURN)) {
      cluster.start();
      cluster.start();
      awaitEnd();
    }

    assertThat(merchant.disorder()).as("calls out of their order").isPositive();
    assertThat(merchant.doubles()).as("calls beside another of the key").isPositive();
  }

  @Test
  void control_without_the_trigger_keys_stay_blocked() throws Exception {
    bench.execute("drop trigger pass_turn on ebb.job");
    try (Cluster cluster = new Cluster(bench.config, merchant.url(), LEASE, Cluster.Guards.ALL)) {
      cluster.start();
      cluster.start();
      Await.until("no job is due", () -> bench.count("ebb.job where run_at < 'infinity'") == 0);
    }

    assertThat(bench.count("ebb.job where blocked_version = version")).isPositive();
  }
}
