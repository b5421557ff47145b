package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.Vital;
import java.time.Duration;
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
  @Vital
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
    Duration length = Duration.parse(System.getProperty("ebb.soak", "PT75S"));
    try (Soak soak = new Soak(Cluster.Guards.ALL, seed)) {
      Soak.Findings found = soak.run(length);
      System.out.println("soak of " + length + ", seed " + seed + ": " + found);

      assertThat(found.acknowledged()).isPositive();
      assertThat(found.lost()).as("lost").isZero();
      assertThat(found.settledTwice()).as("settled twice").isZero();
      assertThat(found.misnumbered()).as("misnumbered").isZero();
      assertThat(found.unheard()).as("completed unheard").isZero();
      assertThat(found.miscounted()).as("counters that a recount contradicts").isZero();
      assertThat(found.kills()).as("kills").isPositive();
      assertThat(found.refused()).as("stale settles refused").isPositive();
      assertThat(found.orphans()).as("jobs of killed nodes").isPositive();
      return found;
    }
  }

  @Test
  void control_without_the_fence_attempts_are_settled_twice() throws Exception {
    try (Soak soak = new Soak(Cluster.Guards.NO_FENCE, SEED)) {
      Soak.Findings found = soak.run(Duration.ofMinutes(2));
      System.out.println("soak without the fence, seed " + SEED + ": " + found);

      assertThat(found.settledTwice() + found.misnumbered() + found.lost())
          .as("settled twice, misnumbered or lost")
          .isPositive();
    }
  }

  @Test
  void control_a_tally_of_what_the_fence_keeps_out_differs_from_a_recount() throws Exception {
    try (Soak soak = new Soak(Cluster.Guards.LOOSE_TALLY, SEED)) {
      Soak.Findings found = soak.run(Duration.ofSeconds(30));
      System.out.println("soak with a loose tally, seed " + SEED + ": " + found);

      assertThat(found.miscounted()).as("counters that a recount contradicts").isPositive();
    }
  }
}
