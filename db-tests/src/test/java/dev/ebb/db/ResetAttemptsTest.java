package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a retry or a redrive by hand has the attempts of a job count from 0. */
class ResetAttemptsTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private UUID submit(int maxAttempts) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").maxAttempts(maxAttempts).build());
  }

  @ParameterizedTest
  @CsvSource({"true,1", "false,3"})
  void a_retry_keeps_the_attempts_or_gives_a_fresh_budget(boolean reset, int next)
      throws SQLException {
    UUID id = submit(5);
    bench.retryAtOnce(bench.claimOne());
    bench.retryAtOnce(bench.claimOne());
    bench.execute(
        "update ebb.job set created_at = now() - interval '1 day', snoozes = 4,"
            + " last_delay_micros = 60000000");

    assertThat(bench.changes.act(id, new JobAction.Retry(reset), Bench.ACT))
        .isEqualTo(ActionResult.DONE);

    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.job().attempt()).isEqualTo(next);
    assertThat(claimed.job().maxAttempts()).isEqualTo(5);
    assertThat(claimed.job().lastDelay().isZero()).isEqualTo(reset);
    assertThat(claimed.job().snoozes()).isEqualTo(reset ? 0 : 4);
    assertThat(
            bench.count("ebb.job where coalesce(redriven_at, created_at) > now() - '1h'::interval"))
        .as("the deadline counts from now")
        .isEqualTo(reset ? 1 : 0);
  }

  @Test
  void a_running_job_is_not_given_a_fresh_budget() throws SQLException {
    UUID id = submit(5);
    bench.retryAtOnce(bench.claimOne());
    ClaimedJob running = bench.claimOne();

    assertThat(bench.changes.act(id, new JobAction.Retry(true), Bench.ACT))
        .isEqualTo(ActionResult.WRONG_STATE);

    assertThat(bench.retryAtOnce(running)).isTrue();
    assertThat(bench.claimOne().job().attempt()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    // budget, attempts that it had, reset, number of the next attempt
    "5,2,true,1",
    "5,2,false,3",
    "2,2,true,1",
    "2,2,false,2",
    "1,1,false,1"
  })
  void a_redrive_resets_the_attempts_or_keeps_all_but_one_that_it_needs(
      int budget, int had, boolean reset, int next) throws SQLException {
    UUID id = submit(budget);
    for (int i = 1; i < had; i++) {
      bench.retryAtOnce(bench.claimOne());
    }
    bench.deadLetter(bench.claimOne());

    assertThat(bench.changes.act(id, new JobAction.Redrive(false, reset), Bench.ACT))
        .isEqualTo(ActionResult.DONE);

    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.job().attempt()).isEqualTo(next);
    assertThat(claimed.job().maxAttempts()).isEqualTo(budget);
    assertThat(bench.deadLetter(claimed)).isTrue();
    assertThat(bench.count("ebb.dead_letter where attempt = " + next)).isOne();
  }
}
