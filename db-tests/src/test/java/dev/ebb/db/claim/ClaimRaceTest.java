package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Proof;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two hundred claimers of one queue. */
@Proof
class ClaimRaceTest {

  @Test
  void two_hundred_claimers_claim_every_job_once_per_attempt() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();

    ClaimRace.Result result = ClaimRace.run(config);

    assertThat(result.doubles()).isZero();
    assertThat(result.completed()).isEqualTo(ClaimRace.JOBS);
  }

  @Test
  void control_without_the_queue_lock_jobs_are_claimed_twice() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    List<String> command = Sabotage.javaWithoutQueueLock(ClaimRace.class, config.url());

    String[] numbers = Sabotage.lastLine(command).split(" ", 2);
    assertThat(Long.parseLong(numbers[0])).as("attempts claimed twice").isPositive();
  }
}
