package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.query.JobFilter;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations that act on at most so many jobs, and those that set priorities. */
class OperationBoundsTest {
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

  private static OperationPlan plan(
      JobAction action, @Nullable JobFilter filter, List<UUID> ids, int maxJobs) {
    return new OperationPlan(action, filter, ids, null, List.of(), null, maxJobs, 0);
  }

  private OperationView discard(int maxJobs) throws SQLException {
    JobFilter all = OperationBench.filter("");
    return ops.carryOut(ops.start(plan(new JobAction.Discard(), all, List.of(), maxJobs)));
  }

  private OperationView setPriority(int priority, List<UUID> ids) throws SQLException {
    return ops.carryOut(ops.start(OperationPlan.of(new JobAction.SetPriority(priority), ids)));
  }

  private JobView job(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  @Test
  void an_operation_acts_on_no_more_jobs_than_it_may_and_is_completed_then() throws SQLException {
    ops.dead("q", 600);
    ops.dead("r", 600);

    OperationView ended = discard(700);

    assertThat(ended.state()).isEqualTo(OperationState.COMPLETED);
    assertThat(ended.counts()).isEqualTo(new OperationView.Counts(700, 0, 0, 0));
    assertThat(bench.count("ebb.dead_letter")).isEqualTo(500);
    assertThat(ops.results(ended.id())).as("none is left waiting").hasSize(700);
    assertThat(bench.count("ebb.audit where action = 'operation.complete' and affected = 700"))
        .isOne();
  }

  @Test
  void an_operation_that_may_act_on_more_than_match_acts_on_all() throws SQLException {
    ops.dead("q", 3);

    assertThat(discard(3).counts().done()).isEqualTo(3);
    ops.dead("q", 2);
    assertThat(discard(3).counts().done()).isEqualTo(2);
    assertThat(discard(3).state()).isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void a_job_that_is_skipped_is_none_of_those_that_it_may_act_on() throws SQLException {
    NewJob later = NewJob.builder("echo", "{}").delay(Duration.ofDays(1)).build();
    List<UUID> ids = new ArrayList<>(List.of(bench.submit(later)));
    for (int i = 0; i < 3; i++) {
      ids.add(ops.dead());
    }

    OperationView ended = ops.carryOut(ops.start(plan(new JobAction.Discard(), null, ids, 2)));

    assertThat(ended.counts()).isEqualTo(new OperationView.Counts(2, 1, 0, 0));
    assertThat(bench.count("ebb.dead_letter")).isOne();
    assertThat(ops.results(ended.id())).containsEntry(ids.getFirst(), "available");
  }

  @Test
  void a_step_that_was_lost_leaves_the_bound_as_it_is() throws SQLException {
    ops.dead("q", 20);
    UUID id = ops.start(plan(new JobAction.Discard(), OperationBench.filter(""), List.of(), 5));
    ops.failAtDone(1);
    assertThatThrownBy(ops.carrier::step).isInstanceOf(SQLException.class);
    bench.execute("drop trigger die on ebb.operation");

    assertThat(ops.carryOut(id).counts().done()).isEqualTo(5);
    assertThat(bench.count("ebb.dead_letter")).isEqualTo(15);
  }

  @Test
  void a_job_gets_the_priority_and_keeps_its_time_and_its_hold() throws SQLException {
    UUID first = bench.submitOne();
    UUID second = bench.submitOne();
    UUID later = bench.submit(NewJob.builder("echo", "{}").delay(Duration.ofDays(1)).build());
    UUID held = bench.submitOne();
    JobView before = job(held);
    JobChanges changes = new JobChanges(bench.database);
    changes.act(held, new JobAction.Hold(null), OperationBench.ADA);

    OperationView ended = setPriority(0, List.of(second, later, held));

    assertThat(ended.counts().done()).isEqualTo(3);
    assertThat(job(later).priority()).isZero();
    assertThat(job(held).priority()).isZero();
    assertThat(job(held).hold()).isNotNull();
    assertThat(job(held).times().runAt()).isEqualTo(before.times().runAt());
    assertThat(bench.claimOne().job().id()).isEqualTo(second);
    assertThat(bench.claimOne().job().id()).isEqualTo(first);
    assertThat(bench.tryClaim(1)).as("one is held, one comes later").isEmpty();
    changes.act(held, new JobAction.Release(), OperationBench.ADA);
    assertThat(bench.claimOne().job().id()).isEqualTo(held);
  }

  @Test
  void a_job_that_runs_or_has_ended_keeps_its_priority() throws SQLException {
    UUID running = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    UUID dead = ops.dead();

    OperationView ended = setPriority(1, List.of(running, dead));

    assertThat(ops.results(ended.id()))
        .containsEntry(running, "running")
        .containsEntry(dead, "dead_letter");
    assertThat(job(running).priority()).isEqualTo(5);
    assertThat(bench.complete(claimed)).as("the lease still owns it").isTrue();
  }
}
