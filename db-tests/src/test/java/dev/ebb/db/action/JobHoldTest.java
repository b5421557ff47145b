package dev.ebb.db.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that people hold and release. */
class JobHoldTest {
  private static final Act ACT = new Act("ada", null, "127.0.0.1", "to be checked");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String WAITS_FOR_THE_QUEUE =
      "pg_locks where locktype = 'advisory' and not granted"
          + " and database = (select oid from pg_database where datname = current_database())";

  /** What a claim does under the queue's lock. */
  private static final String LEASE_ALL =
      """
      insert into ebb.lease (
        queue, node, claimed_at, expires_at, length_micros,
        job_ids, versions, first_priority, last_priority, last_run_at)
      select
        ?, 'node', now(), now() + interval '1 minute', 60000000,
        array_agg(id), array_agg(version), min(priority), max(priority), max(run_at)
      from ebb.job
      """;

  private Bench bench;
  private JobChanges changes;

  @BeforeEach
  void open() {
    bench = new Bench();
    changes = new JobChanges(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private JobView view(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  private UUID submitDueAt(Instant due) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").runAt(due).build());
  }

  private static Instant in(Duration ahead) {
    return Instant.now().plus(ahead).truncatedTo(ChronoUnit.MICROS);
  }

  @Test
  void a_held_job_is_not_claimed_until_it_is_released_and_is_due_as_before() throws SQLException {
    Instant due = in(Duration.ofHours(-1));
    UUID id = submitDueAt(due);

    assertThat(changes.act(id, new JobAction.Hold(null), ACT)).isEqualTo(ActionResult.DONE);

    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();
    assertThat(view(id).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(view(id).hold()).isEqualTo(new JobView.Hold(null, "to be checked"));
    assertThat(view(id).times().runAt()).isEqualTo(due);

    assertThat(changes.act(id, new JobAction.Release(), ACT)).isEqualTo(ActionResult.DONE);

    assertThat(view(id).hold()).isNull();
    assertThat(view(id).times().runAt()).isEqualTo(due);
    assertThat(bench.claimOne().job().id()).isEqualTo(id);
    assertThat(bench.count("ebb.audit where action in ('job.hold', 'job.release')")).isEqualTo(2);
  }

  @Test
  void a_hold_ends_by_itself_and_what_becomes_of_the_job_then_is_no_hold() throws SQLException {
    UUID id = bench.submitOne();
    Instant until = in(Duration.ofHours(1));
    changes.act(id, new JobAction.Hold(until), ACT);
    assertThat(view(id).hold()).isEqualTo(new JobView.Hold(until, "to be checked"));
    assertThat(bench.tryClaim(1)).isEmpty();

    anHourPasses();

    Lease lease = bench.claim(1);
    assertThat(view(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(view(id).hold()).isNull();
    bench.fail(
        lease.jobs().getFirst(),
        new Settlement.Retry(Duration.ofHours(1), Bench.failure("http_500")));
    assertThat(view(id).hold()).isNull();
    assertThat(bench.changes.act(id, new JobAction.Retry(false), ACT)).isEqualTo(ActionResult.DONE);
  }

  /** For what holds a job, which is all that is there. */
  private void anHourPasses() throws SQLException {
    bench.execute(
        "update ebb.job set run_at = run_at - interval '1 hour',"
            + " held_until = held_until - interval '1 hour'");
  }

  @Test
  void a_hold_makes_no_job_due_earlier() throws SQLException {
    Instant due = in(Duration.ofHours(2));
    UUID id = submitDueAt(due);

    changes.act(id, new JobAction.Hold(in(Duration.ofHours(1))), ACT);

    assertThat(view(id).hold()).isNotNull();
    assertThat(view(id).times().runAt()).isEqualTo(due);
    assertThat(bench.count("ebb.job where run_at = held_run_at")).isOne();
  }

  @Test
  void a_held_job_that_is_held_again_has_the_new_end_and_keeps_its_due_time() throws SQLException {
    Instant due = in(Duration.ofMinutes(-5));
    UUID id = submitDueAt(due);
    changes.act(id, new JobAction.Hold(in(Duration.ofHours(1))), ACT);

    changes.act(id, new JobAction.Hold(null), new Act("bob", null, null, null));

    assertThat(view(id).hold()).isEqualTo(new JobView.Hold(null, null));
    changes.act(id, new JobAction.Release(), ACT);
    assertThat(view(id).times().runAt()).isEqualTo(due);
  }

  @Test
  void a_hold_must_end_in_the_future() throws SQLException {
    UUID id = bench.submitOne();

    assertThatThrownBy(() -> changes.act(id, new JobAction.Hold(in(Duration.ofSeconds(-1))), ACT))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("until");

    assertThat(view(id).version()).isZero();
    assertThat(bench.count("ebb.audit")).isZero();
  }

  @Test
  void a_held_job_that_is_cancelled_leaves_the_time_at_which_it_was_due() throws SQLException {
    Instant due = in(Duration.ofMinutes(-5));
    UUID id = submitDueAt(due);
    changes.act(id, new JobAction.Hold(null), ACT);

    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);

    assertThat(view(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(view(id).times().runAt()).isEqualTo(due);
    assertThat(view(id).hold()).isNull();
  }

  @Test
  void a_held_job_is_not_retried_before_it_is_released() throws SQLException {
    UUID id = bench.submitOne();
    changes.act(id, new JobAction.Hold(null), ACT);

    assertThat(bench.changes.act(id, new JobAction.Retry(false), ACT))
        .isEqualTo(ActionResult.WRONG_STATE);

    assertThat(view(id).hold()).isNotNull();
    assertThat(bench.tryClaim(1)).isEmpty();
  }

  @Test
  void a_hold_outlives_no_other_change_of_the_job() throws SQLException {
    UUID id = bench.submitOne();
    changes.act(id, new JobAction.Hold(null), ACT);

    // As a node does that knows no holds.
    bench.execute("update ebb.job set version = version + 1, run_at = now()");

    assertThat(view(id).hold()).isNull();
    assertThat(bench.claimOne().job().id()).isEqualTo(id);
  }

  @Test
  void what_runs_or_has_ended_is_not_held_and_what_is_not_held_is_not_released()
      throws SQLException {
    UUID id = bench.submitOne();
    assertThat(changes.act(id, new JobAction.Release(), ACT)).isEqualTo(ActionResult.WRONG_STATE);
    var claimed = bench.claimOne();
    assertThat(changes.act(id, new JobAction.Hold(null), ACT)).isEqualTo(ActionResult.WRONG_STATE);
    assertThat(changes.act(id, new JobAction.Release(), ACT)).isEqualTo(ActionResult.WRONG_STATE);
    assertThat(bench.complete(claimed)).isTrue();
    assertThat(changes.act(id, new JobAction.Hold(null), ACT)).isEqualTo(ActionResult.WRONG_STATE);
    assertThat(changes.act(UUID.randomUUID(), new JobAction.Hold(null), ACT))
        .isEqualTo(ActionResult.NOT_FOUND);
    assertThat(changes.act(UUID.randomUUID(), new JobAction.Release(), ACT))
        .isEqualTo(ActionResult.NOT_FOUND);
    assertThat(bench.count("ebb.audit")).isZero();
  }

  @Test
  void a_hold_at_the_instant_of_a_claim_waits_for_it_and_finds_the_job_running() throws Exception {
    UUID id = bench.submitOne();
    try (Connection claim = TestPostgres.connect(bench.config);
        ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      claim.setAutoCommit(false);
      QueueLock.take(claim, Bench.QUEUE);
      Statements.update(claim, LEASE_ALL, p -> p.text(Bench.QUEUE));

      Future<ActionResult> hold =
          other.submit(() -> changes.act(id, new JobAction.Hold(null), ACT));
      bench.awaitRow(WAITS_FOR_THE_QUEUE, PATIENCE);
      claim.commit();

      assertThat(hold.get()).isEqualTo(ActionResult.WRONG_STATE);
    }
    assertThat(view(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(view(id).hold()).isNull();
  }

  @Test
  void a_claim_at_the_instant_of_a_hold_waits_for_it_and_finds_nothing() throws Exception {
    UUID id = bench.submitOne();
    try (Connection hold = TestPostgres.connect(bench.config);
        ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      hold.setAutoCommit(false);
      assertThat(JobActions.one(hold, id, new JobAction.Hold(null), ACT))
          .isEqualTo(ActionResult.DONE);

      Future<Optional<Lease>> claim = other.submit(() -> bench.tryClaim(1));
      bench.awaitRow(WAITS_FOR_THE_QUEUE, PATIENCE);
      hold.commit();

      assertThat(claim.get()).isEmpty();
    }
    assertThat(view(id).hold()).isNotNull();
  }

  @Test
  void control_without_the_queue_lock_a_job_is_both_held_and_with_a_worker() throws Exception {
    UUID id = bench.submitOne();
    try (Connection claim = TestPostgres.connect(bench.config);
        Connection hold = TestPostgres.connect(bench.config)) {
      claim.setAutoCommit(false);
      QueueLock.take(claim, Bench.QUEUE);
      Statements.update(claim, LEASE_ALL, p -> p.text(Bench.QUEUE));

      List<ActedJob> held =
          JobActions.many(hold, new JobAction.Hold(null), List.of(id), List.of(Bench.QUEUE), null);
      claim.commit();

      assertThat(held).hasSize(1);
    }
    assertThat(view(id).hold()).isNotNull();
    assertThat(bench.count("ebb.leased where id = '" + id + "'")).isOne();
  }
}
