package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each action of an operation does to which jobs. */
class OperationActionsTest {
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

  private JobView job(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  private UUID later() throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").delay(Duration.ofDays(1)).build());
  }

  private OperationView run(JobAction action, String query) throws SQLException {
    return ops.carryOut(ops.start(OperationBench.plan(action, query)));
  }

  private OperationView run(JobAction action, List<UUID> ids) throws SQLException {
    return ops.carryOut(ops.start(OperationPlan.of(action, ids)));
  }

  private static OperationView.Counts counts(int done, int skipped) {
    return new OperationView.Counts(done, skipped, 0, 0);
  }

  @Test
  void a_redrive_brings_the_dead_letters_of_the_filter_back_and_no_others() throws SQLException {
    UUID dead = ops.dead();
    ops.dead("other", 3);
    UUID later = later();

    OperationView ended = run(OperationBench.REDRIVE, "queue:default");

    assertThat(ended.state()).isEqualTo(OperationState.COMPLETED);
    assertThat(ended.counts()).isEqualTo(counts(1, 0));
    assertThat(ops.results(ended.id())).containsOnlyKeys(dead);
    assertThat(job(dead).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job(dead).attempt()).isZero();
    assertThat(bench.count("ebb.dead_letter where queue = 'other'")).isEqualTo(3);
    assertThat(job(later).version()).isZero();
    assertThat(bench.count("ebb.audit where action = 'operation.redrive' and affected = 1"))
        .isOne();
    assertThat(
            bench.count(
                "ebb.audit where action = 'operation.complete' and affected = 1 and actor = 'ada'"))
        .isOne();
  }

  @Test
  void a_discard_cancels_dead_letters() throws SQLException {
    UUID dead = ops.dead();
    UUID later = later();

    assertThat(run(new JobAction.Discard(), "").counts()).isEqualTo(counts(1, 0));

    assertThat(job(dead).state()).isEqualTo(JobState.CANCELLED);
    assertThat(job(dead).attempt()).isOne();
    assertThat(job(later).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void a_retry_lets_jobs_run_now_but_for_those_that_are_held() throws SQLException {
    UUID later = later();
    UUID held = later();
    bench.changes.act(held, new JobAction.Hold(null), OperationBench.ADA);

    assertThat(run(new JobAction.Retry(false), List.of(later, held)).counts())
        .isEqualTo(counts(1, 1));

    assertThat(bench.claimOne().job().id()).isEqualTo(later);
    assertThat(bench.tryClaim(1)).isEmpty();
  }

  @Test
  void a_cancel_takes_what_waits_and_asks_what_runs_to_stop() throws SQLException {
    UUID running = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    UUID held = bench.submitOne();
    Instant due = job(held).times().runAt();
    bench.changes.act(held, new JobAction.Hold(null), OperationBench.ADA);
    UUID later = later();
    UUID dead = ops.dead();

    OperationView ended = run(new JobAction.Cancel(), "");

    assertThat(ended.counts().done()).isEqualTo(3);
    assertThat(job(held).state()).isEqualTo(JobState.CANCELLED);
    assertThat(job(held).times().runAt()).isEqualTo(due);
    assertThat(job(later).state()).isEqualTo(JobState.CANCELLED);
    assertThat(ops.results(ended.id())).containsEntry(running, "requested");
    assertThat(job(running).cancelRequested()).isTrue();
    assertThat(job(dead).state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(bench.complete(claimed)).as("the lease still owns it").isTrue();
  }

  @Test
  void a_reschedule_moves_jobs_and_leaves_their_holds() throws SQLException {
    UUID due = bench.submitOne();
    UUID held = bench.submitOne();
    JobChanges changes = new JobChanges(bench.database);
    changes.act(held, new JobAction.Hold(null), OperationBench.ADA);
    Instant at = Instant.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.MICROS);

    ops.carryOut(ops.start(OperationBench.plan(new JobAction.Reschedule(at), "")));

    assertThat(job(due).times().runAt()).isEqualTo(at);
    assertThat(job(held).times().runAt()).isEqualTo(at);
    assertThat(job(held).hold()).isNotNull();
    changes.act(held, new JobAction.Release(), OperationBench.ADA);
    assertThat(job(held).times().runAt()).isEqualTo(at);
  }

  @Test
  void a_hold_keeps_jobs_from_claims_until_its_end() throws SQLException {
    UUID due = bench.submitOne();
    Instant until = Instant.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.MICROS);

    ops.carryOut(ops.start(OperationBench.plan(new JobAction.Hold(until), "")));

    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(job(due).hold()).isEqualTo(new JobView.Hold(until, "a wrong price"));
  }

  @Test
  void a_release_lets_many_jobs_be_due_as_if_they_had_not_been_held() throws SQLException {
    UUID due = bench.submitOne();
    UUID later = later();
    Instant time = job(later).times().runAt();
    ops.carryOut(ops.start(OperationBench.plan(new JobAction.Hold(null), "")));
    assertThat(bench.tryClaim(2)).isEmpty();
    UUID unheld = later();

    assertThat(run(new JobAction.Release(), List.of(due, later, unheld)).counts())
        .isEqualTo(counts(2, 1));

    assertThat(bench.claimOne().job().id()).isEqualTo(due);
    assertThat(job(later).hold()).isNull();
    assertThat(job(later).times().runAt()).isEqualTo(time);
    assertThat(job(unheld).version()).isZero();
    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(bench.count("ebb.audit where action = 'operation.release'")).isOne();
  }

  @Test
  void what_an_action_does_not_fit_is_left_with_the_reason() throws SQLException {
    UUID running = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    UUID dead = ops.dead();
    UUID completed = bench.submitOne();
    assertThat(bench.complete(bench.claimOne())).isTrue();
    UUID unknown = UUID.fromString("019f2b1e-7c00-7a10-8000-5d2b8f1c0e11");

    OperationView ended =
        run(new JobAction.Hold(null), List.of(running, dead, completed, unknown, running));

    assertThat(ended.counts()).isEqualTo(counts(0, 4));
    assertThat(ops.results(ended.id()))
        .containsEntry(running, "running")
        .containsEntry(dead, "dead_letter")
        .containsEntry(completed, "completed")
        .containsEntry(unknown, "not_found");
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  void a_dead_letter_whose_key_is_taken_or_whose_payload_is_erased_stays() throws SQLException {
    NewJob unique = NewJob.builder("echo", "{}").uniqueKey("k").build();
    UUID first = bench.submit(unique);
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    UUID second = bench.submit(unique);
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    UUID erased = ops.dead();
    new JobChanges(bench.database).erase(erased, OperationBench.ADA);

    OperationView ended = run(OperationBench.REDRIVE, "");

    assertThat(ended.counts()).isEqualTo(counts(1, 2));
    assertThat(ops.results(ended.id())).containsEntry(erased, "payload_erased");
    assertThat(List.of(ops.results(ended.id()).get(first), ops.results(ended.id()).get(second)))
        .containsExactlyInAnyOrder("done", "unique_key_taken");
  }

  /** An operation acts while a claim that has, or has not, the queue's lock is not committed. */
  private UUID claimedMeanwhile(boolean withLock) throws SQLException {
    bench.submitOne();
    UUID id = ops.start(OperationBench.plan(new JobAction.Cancel(), ""));
    try (Connection claim = TestPostgres.connect(bench.config);
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      if (withLock) {
        statement.execute("select pg_advisory_xact_lock(6644322, hashtext('default'))");
      }
      statement.execute(
          """
          insert into ebb.lease (
            queue, node, claimed_at, expires_at, length_micros, job_ids, versions, first_priority,
            last_priority, last_run_at)
          select queue, 'n', now(), now() + interval '1 hour', 1, array[id], array[version],
            priority, priority, run_at
          from ebb.job
          """);
      ops.stepAll();
      claim.commit();
    }
    ops.carryOut(id);
    return id;
  }

  @Test
  void a_job_that_is_claimed_meanwhile_is_not_taken_from_its_lease() throws SQLException {
    UUID id = claimedMeanwhile(true);

    assertThat(ops.resultCounts(id)).containsOnlyKeys("requested");
    assertThat(bench.count("ebb.job where cancel_requested")).isOne();
  }

  @Test
  void control_a_claim_without_the_lock_loses_its_job() throws SQLException {
    UUID id = claimedMeanwhile(false);

    assertThat(ops.resultCounts(id)).containsOnlyKeys("done");
    assertThat(bench.count("ebb.job")).isZero();
    assertThat(bench.count("ebb.lease")).isOne();
  }
}
