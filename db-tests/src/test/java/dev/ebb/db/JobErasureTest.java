package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.view.AttemptView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs whose payloads are forgotten. */
class JobErasureTest {
  private static final Act ACT = new Act("ada", null, "127.0.0.1", "asked for by the payer");

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

  private void settle(Outcome outcome, Settlement settlement) throws SQLException {
    ClaimedJob claimed = bench.claimOne();
    FinishedAttempt settled =
        new FinishedAttempt(
            claimed,
            outcome,
            settlement,
            "node",
            System.nanoTime(),
            Duration.ofMillis(3),
            "{\"request\":\"secret\"}");
    assertThat(bench.jobs.settle(List.of(settled), List.of(claimed.fencingToken()))).isEmpty();
  }

  private void retry() throws SQLException {
    settle(
        Outcome.failed("http_500", "no"),
        new Settlement.Retry(Duration.ZERO, Bench.failure("http_500")));
  }

  private void deadLetter() throws SQLException {
    settle(
        Outcome.failed("http_500", "no"),
        new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, Bench.failure("http_500")));
  }

  @Test
  void a_dead_letter_forgets_what_it_carried_and_what_its_attempts_recorded() throws SQLException {
    UUID id = bench.submitOne();
    UUID other = bench.submit(NewJob.of("echo", "7"));
    retry();
    bench.changes.act(other, new JobAction.Cancel(), Bench.ACT);
    deadLetter();

    assertThat(changes.erase(id, ACT)).isEqualTo(ActionResult.DONE);
    assertThat(changes.erase(id, ACT)).as("again").isEqualTo(ActionResult.DONE);

    var dead = bench.reads.find(id).orElseThrow();
    assertThat(dead.state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(dead.payload()).isNull();
    assertThat(dead.lastError()).isEqualTo(Bench.failure("http_500"));
    assertThat(bench.attempts(id))
        .hasSize(2)
        .allSatisfy(attempt -> assertThat(attempt.detail()).isNull());
  }

  @Test
  void an_erased_dead_letter_is_not_redriven() throws SQLException {
    UUID id = bench.submitOne();
    deadLetter();
    changes.erase(id, ACT);

    assertThat(bench.changes.act(id, new JobAction.Redrive(false, true), ACT))
        .isEqualTo(ActionResult.PAYLOAD_ERASED);

    assertThat(bench.count("ebb.job")).isZero();
    assertThat(bench.count("ebb.dead_letter")).isOne();
  }

  @Test
  void a_completed_job_forgets_what_its_attempts_recorded_wherever_their_rows_are()
      throws SQLException {
    UUID id = bench.submitOne();
    retry();
    settle(Outcome.completed(), new Settlement.Complete());
    bench.execute("insert into ebb.attempt_stray select * from ebb.attempt");
    assertThat(bench.attempts(id)).extracting(AttemptView::detail).doesNotContainNull();

    assertThat(changes.erase(id, ACT)).isEqualTo(ActionResult.DONE);

    assertThat(bench.attempts(id)).hasSize(3).extracting(AttemptView::detail).containsOnlyNulls();
    assertThat(bench.count("ebb.audit where action = 'job.erase'")).isOne();
  }

  @Test
  void a_job_that_may_still_run_keeps_its_payload() throws SQLException {
    UUID id = bench.submitOne();
    retry();
    assertThat(changes.erase(id, ACT)).isEqualTo(ActionResult.WRONG_STATE);
    changes.act(id, new JobAction.Hold(null), ACT);
    assertThat(changes.erase(id, ACT)).isEqualTo(ActionResult.WRONG_STATE);
    changes.act(id, new JobAction.Release(), ACT);
    bench.claimOne();
    assertThat(changes.erase(id, ACT)).isEqualTo(ActionResult.WRONG_STATE);

    assertThat(bench.reads.find(id).orElseThrow().payload()).isEqualTo("{}");
    assertThat(bench.attempts(id).getFirst().detail()).contains("secret");
    assertThat(changes.erase(UUID.randomUUID(), ACT)).isEqualTo(ActionResult.NOT_FOUND);
  }
}
