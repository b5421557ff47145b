package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether an operation has the attempts of its jobs count from 0. */
class OperationAttemptsTest {
  private OperationBench ops;
  private Bench bench;

  @BeforeEach
  void open() {
    ops = new OperationBench();
    bench = ops.bench;
  }

  @AfterEach
  void close() {
    ops.close();
  }

  private void carryOut(JobAction action, UUID job) throws SQLException {
    UUID id = ops.start(OperationPlan.of(action, List.of(job)));
    assertThat(ops.view(id).plan().action()).isEqualTo(action);

    OperationView ended = ops.carryOut(id);

    assertThat(ended.state()).isEqualTo(OperationState.COMPLETED);
    assertThat(ended.counts().done()).isOne();
  }

  @ParameterizedTest
  @CsvSource({"true,1,retry_reset_attempts", "false,3,retry"})
  void a_retry_keeps_the_attempts_or_gives_a_fresh_budget(boolean reset, int next, String word)
      throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "{}").maxAttempts(5).build());
    bench.retryAtOnce(bench.claimOne());
    bench.retryAtOnce(bench.claimOne());
    bench.execute(
        "update ebb.job set created_at = now() - interval '1 day', snoozes = 4,"
            + " last_delay_micros = 60000000");

    carryOut(new JobAction.Retry(reset), id);

    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.job().attempt()).isEqualTo(next);
    assertThat(claimed.job().maxAttempts()).isEqualTo(5);
    assertThat(claimed.job().lastDelay().isZero()).isEqualTo(reset);
    assertThat(claimed.job().snoozes()).isEqualTo(reset ? 0 : 4);
    assertThat(
            bench.count("ebb.job where coalesce(redriven_at, created_at) > now() - '1h'::interval"))
        .as("the deadline counts from now")
        .isEqualTo(reset ? 1 : 0);
    assertThat(bench.count("ebb.audit where action = 'operation." + word + "'")).isOne();
  }

  @ParameterizedTest
  @CsvSource({
    // budget, attempts that it had, reset, number of the next attempt, word of the audit
    "5,2,true,1,redrive",
    "5,2,false,3,redrive_keep_attempts",
    "2,2,false,2,redrive_keep_attempts",
    "1,1,false,1,redrive_keep_attempts"
  })
  void a_redrive_resets_the_attempts_or_keeps_all_but_one_that_it_needs(
      int budget, int had, boolean reset, int next, String word) throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "{}").maxAttempts(budget).build());
    for (int i = 1; i < had; i++) {
      bench.retryAtOnce(bench.claimOne());
    }
    bench.deadLetter(bench.claimOne());

    carryOut(new JobAction.Redrive(true, reset), id);

    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.job().attempt()).isEqualTo(next);
    assertThat(claimed.job().maxAttempts()).isEqualTo(budget);
    assertThat(bench.count("ebb.audit where action = 'operation." + word + "'")).isOne();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void one_that_does_not_say_it_does_what_its_action_does_by_itself(boolean redrives)
      throws SQLException {
    JobAction action = redrives ? OperationBench.REDRIVE : new JobAction.Retry(false);
    UUID id = ops.start(OperationBench.plan(action, ""));

    bench.execute("update ebb.operation set reset_attempts = null");

    assertThat(ops.view(id).plan().action()).isEqualTo(action);
  }

  @Test
  void a_running_job_is_not_given_a_fresh_budget() throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "{}").maxAttempts(5).build());
    bench.retryAtOnce(bench.claimOne());
    ClaimedJob running = bench.claimOne();

    OperationView ended =
        ops.carryOut(ops.start(OperationPlan.of(new JobAction.Retry(true), List.of(id))));

    assertThat(ended.counts().skipped()).isOne();
    assertThat(bench.retryAtOnce(running)).isTrue();
    assertThat(bench.claimOne().job().attempt()).isEqualTo(3);
  }
}
