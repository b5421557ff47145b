package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.Settle;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verb and its tally: both, or neither. */
class KilledVerbTest {
  private static final int STATEMENTS_OF_A_RETRY = 3;

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Settles a failure, and dies before that statement. */
  private void retryUntil(int statement, boolean inTransaction) throws SQLException {
    ClaimedJob claimed = bench.claimOne();
    FinishedAttempt failed =
        new FinishedAttempt(
            claimed,
            Outcome.failed("http_500", "no"),
            new Settlement.Retry(Duration.ZERO, Bench.failure("http_500")),
            "node",
            System.nanoTime(),
            Duration.ofMillis(3),
            null);
    Connection dying = DyingConnection.before(statement, TestPostgres.connect(bench.config));
    dying.setAutoCommit(!inTransaction);
    assertThatThrownBy(() -> Settle.settle(dying, List.of(failed), List.of(claimed.fencingToken())))
        .hasMessage("died");
    bench.expireLeases();
    bench.rescueAll();
  }

  @Test
  void a_settle_that_dies_before_any_of_its_statements_counts_what_it_wrote() throws SQLException {
    bench.submitOne();
    for (int statement = 0; statement <= STATEMENTS_OF_A_RETRY; statement++) {
      retryUntil(statement, true);

      assertThat(Recount.ofTheStatistics(bench.config))
          .isEqualTo(Recount.ofTheJobs(bench.config))
          .containsEntry("default/echo failed", statement + 1L);
    }
  }

  @Test
  void control_without_a_transaction_an_attempt_of_a_settle_that_dies_counts_twice()
      throws SQLException {
    bench.submitOne();
    int beforeThePutBack = STATEMENTS_OF_A_RETRY - 1;

    retryUntil(beforeThePutBack, false);

    assertThat(Recount.ofTheStatistics(bench.config)).containsEntry("default/echo failed", 2L);
    assertThat(bench.count("ebb.job where attempt = 1")).isOne();
  }
}
