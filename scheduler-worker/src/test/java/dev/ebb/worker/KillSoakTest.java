package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.NewJob;
import dev.ebb.db.JobView;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Processes that die and freeze. Longer by {@code -Debb.soak=PT30M}, the same again by the printed
 * seed and {@code -Debb.seed}.
 */
@Proof
class KillSoakTest {
  private static final long SEED = Long.getLong("ebb.seed", System.nanoTime());

  private static final long LONGEST_RECOVERY_MILLIS = Soak.LEASE.plusSeconds(1).toMillis();

  /** A machine that stalls keeps lost jobs waiting. */
  @Test
  void killed_and_paused_nodes_lose_no_job_and_settle_none_twice() throws Exception {
    Judged.holds(
        "the time from a kill to the next claim",
        TestPostgres.shared().config("postgres"),
        run -> {
          Soak.Findings found = soak(SEED + run);
          assertThat(found.recoveryMillis()).isPositive();
          return Judged.missed(() ->
              assertThat(found.recoveryMillis())
                  .as("p99 from a kill to the next claim, ms")
                  .isLessThanOrEqualTo(LONGEST_RECOVERY_MILLIS));
        });
  }

  private static Soak.Findings soak(long seed) throws Exception {
    Duration length = Duration.parse(System.getProperty("ebb.soak", "PT2M"));
    try (Soak soak = new Soak(true, seed)) {
      Soak.Findings found = soak.run(length);
      System.out.println("soak of " + length + ", seed " + seed + ": " + found);

      assertThat(found.acknowledged()).isPositive();
      assertThat(found.lost()).as("lost").isZero();
      assertThat(found.settledTwice()).as("settled twice").isZero();
      assertThat(found.misnumbered()).as("misnumbered").isZero();
      assertThat(found.unheard()).as("completed unheard").isZero();
      assertThat(found.kills()).as("kills").isPositive();
      assertThat(found.refused()).as("stale settles refused").isPositive();
      assertThat(found.orphans()).as("jobs of killed nodes").isPositive();
      return found;
    }
  }

  @Test
  void control_without_the_fence_attempts_are_settled_twice() throws Exception {
    try (Soak soak = new Soak(false, SEED)) {
      Soak.Findings found = soak.run(Duration.ofMinutes(2));
      System.out.println("soak without the fence, seed " + SEED + ": " + found);

      assertThat(found.settledTwice() + found.misnumbered() + found.lost())
          .as("settled twice, misnumbered or lost")
          .isPositive();
    }
  }

  @Test
  void a_job_that_kills_its_worker_is_a_dead_letter_after_its_last_attempt_and_others_finish()
      throws Exception {
    int budget = 2;
    try (WorkerBench bench = new WorkerBench();
        Merchant merchant = new Merchant(0, Duration.ofMillis(200));
        Cluster cluster =
            new Cluster(bench.config, merchant.url(), Soak.LEASE, Cluster.Guards.ALL)) {
      UUID poison = bench.submit(job(Node.POISON, budget));
      List<UUID> others = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        others.add(bench.submit(job("{}", budget)));
      }

      int deaths = -1;
      while (bench.count("ebb.job") > 0) {
        Cluster.Member node = cluster.start();
        deaths++;
        Await.until(
            "it dies or all have ended",
            () -> !node.process().isAlive() || bench.count("ebb.job") == 0);
      }

      JobView dead = bench.view(poison);
      assertThat(dead.deadReason()).isEqualTo("worker_lost");
      assertThat(dead.attempt()).isEqualTo(budget);
      assertThat(deaths).isEqualTo(budget);
      for (UUID other : others) {
        assertThat(bench.view(other).state().word()).isEqualTo("completed");
      }
    }
  }

  private static NewJob job(String payload, int budget) {
    return NewJob.builder(WorkerBench.KIND, payload)
        .policy(WorkerBench.QUICK)
        .maxAttempts(budget)
        .build();
  }
}
