package dev.ebb.db.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases that expire, on a real database. */
class RescueTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_rescued_job_has_spent_its_attempt_and_its_reason_is_worker_lost() throws SQLException {
    UUID id = bench.submitOne();
    bench.claimAs("lost-node", 1, Bench.LEASE);
    bench.expireLeases();

    assertThat(bench.rescueAll()).isEqualTo(1);

    assertThat(bench.count("ebb.lease")).isZero();
    assertThat(bench.claimOne().job().attempt()).isEqualTo(2);
    assertThat(bench.attempts(id).getFirst())
        .satisfies(attempt -> {
          assertThat(attempt.node()).isEqualTo("lost-node");
          assertThat(attempt.error()).extracting("reason").isEqualTo("worker_lost");
        });
  }

  @Test
  void a_lease_that_has_not_expired_is_not_rescued() throws SQLException {
    bench.submitOne();
    bench.claimOne();

    assertThat(bench.rescueAll()).isZero();
    assertThat(bench.count("ebb.lease")).isOne();
  }

  @Test
  void a_renewed_lease_is_not_rescued_and_a_lost_one_is_not_renewed() throws SQLException {
    bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    bench.expireLeases();

    assertThat(bench.jobs.renew(List.of(claimed.fencingToken(), 999_999L), Bench.LEASE))
        .containsExactly(Map.entry(claimed.fencingToken(), true));

    assertThat(bench.rescueAll()).isZero();
  }
}
