package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stages: a few jobs first, and the rest if those do well. */
class OperationStagesTest {
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

  private void steps() throws SQLException {
    for (int i = 0; i < 4; i++) {
      bench.execute("update ebb.operation set due_at = now() - interval '1 second'");
      ops.carrier.step();
    }
  }

  private void succeed(int jobs) throws SQLException {
    Lease lease = bench.claim(jobs);
    assertThat(lease.jobs()).hasSize(jobs);
    bench.completeAll(lease);
  }

  private void fail(int jobs) throws SQLException {
    for (int i = 0; i < jobs; i++) {
      ClaimedJob claimed = bench.claimOne();
      assertThat(bench.deadLetter(claimed)).isTrue();
    }
  }

  @Test
  void each_stage_waits_for_the_attempts_of_the_one_before() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.staged(null, List.of(1, 10), 0.2));

    steps();
    assertThat(ops.view(id).counts().done()).isOne();
    succeed(1);
    steps();
    assertThat(ops.view(id).counts().done()).isEqualTo(11);
    succeed(9);
    steps();
    assertThat(ops.view(id).counts().done()).isEqualTo(11);
    succeed(1);

    assertThat(ops.carryOut(id).counts()).isEqualTo(new OperationView.Counts(20, 0, 11, 0));
    assertThat(ops.view(id).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void a_stage_in_which_too_many_fail_stops_it_until_somebody_has_it_go_on() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.staged(null, List.of(10), 0.2));
    steps();
    succeed(7);
    fail(3);

    steps();

    OperationView stopped = ops.view(id);
    assertThat(stopped.state()).isEqualTo(OperationState.PAUSED);
    assertThat(stopped.stateReason()).isEqualTo("3 of 10 jobs of stage 1 failed: more than 20 %");
    assertThat(stopped.counts()).isEqualTo(new OperationView.Counts(10, 0, 7, 3));
    ops.operations.resume(id, OperationBench.ADA);
    assertThat(ops.carryOut(id).counts().done()).isEqualTo(20);
  }

  @Test
  void after_a_first_stage_that_went_well_it_waits_for_somebody_who_looks() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.looked(List.of(1, 10), 1));
    steps();
    succeed(1);

    steps();

    OperationView paused = ops.view(id);
    assertThat(paused.state()).isEqualTo(OperationState.PAUSED);
    assertThat(paused.stateReason())
        .isEqualTo("stage 1 is complete: check its results, then resume");
    assertThat(paused.counts()).isEqualTo(new OperationView.Counts(1, 0, 1, 0));
    List<OperationItem> looked = ops.operations.stage(id, 1, 9);
    assertThat(looked).extracting(OperationItem::outcome).containsExactly("succeeded");
    assertThat(ops.operations.stage(id, 2, 9)).isEmpty();
    ops.operations.resume(id, OperationBench.ADA);
    steps();
    assertThat(ops.view(id).counts().done()).isEqualTo(11);
    succeed(10);
    assertThat(ops.carryOut(id).state()).as("once").isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void a_first_stage_that_failed_is_looked_at_once() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.looked(List.of(1, 10), 1));
    steps();
    fail(1);
    steps();
    assertThat(ops.view(id).stateReason()).contains("failed");

    ops.operations.resume(id, OperationBench.ADA);
    steps();

    assertThat(ops.view(id).counts().done()).isEqualTo(11);
  }

  @Test
  void it_waits_for_nobody_where_no_job_is_left() throws SQLException {
    ops.dead("default", 1);
    UUID id = ops.start(OperationBench.looked(List.of(1, 10), 10));
    steps();
    succeed(1);

    assertThat(ops.carryOut(id).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void jobs_of_a_stage_that_failed_are_shown_first() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.staged(null, List.of(10), 1));
    steps();
    succeed(7);
    fail(3);
    steps();

    List<OperationItem> looked = ops.operations.stage(id, 1, 5);

    assertThat(looked)
        .extracting(OperationItem::outcome)
        .containsExactly("failed", "failed", "failed", "succeeded", "succeeded");
  }

  @Test
  void as_many_failures_as_the_ratio_allows_do_not_stop_it() throws SQLException {
    ops.dead("default", 20);
    UUID id = ops.start(OperationBench.staged(null, List.of(10), 0.2));
    steps();
    succeed(8);
    fail(2);

    assertThat(ops.carryOut(id).counts().done()).isEqualTo(20);
  }

  @Test
  void an_attempt_that_fails_and_is_retried_has_failed() throws SQLException {
    ops.dead("default", 2);
    UUID id = ops.start(OperationBench.staged(null, List.of(1), 0.2));
    steps();
    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();

    assertThat(ops.carryOut(id).state()).isEqualTo(OperationState.PAUSED);
  }

  @Test
  void without_stages_it_is_judged_all_the_time() throws SQLException {
    ops.dead("default", 600);
    UUID id = ops.start(OperationBench.staged(null, List.of(), 0.5));
    ops.carrier.step();
    assertThat(ops.view(id).counts().done()).isEqualTo(500);
    fail(10);

    ops.carrier.step();

    assertThat(ops.view(id).state()).isEqualTo(OperationState.PAUSED);
    assertThat(ops.view(id).counts().failed()).isEqualTo(10);
  }
}
