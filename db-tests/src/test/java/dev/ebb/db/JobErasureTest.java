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
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.view.AttemptView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  private UUID about(String host) throws SQLException {
    UUID id = bench.submit(NewJob.of("echo", "{\"url\":\"http://%s\"}".formatted(host)));
    bench.execute("update ebb.job set destination = '%s' where id = '%s'".formatted(host, id));
    deadLetter();
    return id;
  }

  private long named() throws SQLException {
    return bench.count("ebb.error_group where subject is not null");
  }

  private long grouped(String subject) throws SQLException {
    return bench.count(
        "ebb.dead_letter d join ebb.error_group g on g.id = d.error_group where g.subject "
            + subject);
  }

  @Test
  void a_dead_letter_leaves_the_group_that_is_named_after_what_it_lost() throws SQLException {
    ErrorGroups groups = new ErrorGroups(bench.database);
    UUID first = about("ada.example");
    UUID second = about("ada.example");
    groups.groupNew();

    changes.erase(first, ACT);
    groups.groupNew();
    assertThat(grouped("= 'ada.example'")).isOne();
    assertThat(grouped("is null")).isOne();

    changes.erase(second, ACT);
    assertThat(named()).as("at once").isZero();
    groups.groupNew();
    assertThat(grouped("is null")).isEqualTo(2);
  }

  @Test
  void a_group_that_somebody_marked_outlives_its_last_dead_letter() throws SQLException {
    ErrorGroups groups = new ErrorGroups(bench.database);
    UUID id = about("ada.example");
    groups.groupNew();
    bench.execute("update ebb.error_group set note = 'asked them'");

    changes.erase(id, ACT);

    assertThat(named()).isOne();
    assertThat(grouped("is not null")).isZero();
  }

  @Test
  void a_dead_letter_whose_subject_the_sender_gave_stays_in_its_group() throws SQLException {
    bench.execute("update ebb.settings set subject = 'merchant'");
    UUID id = bench.submit(NewJob.builder("echo", "1").labels(Map.of("merchant", "acme")).build());
    deadLetter();
    new ErrorGroups(bench.database).groupNew();

    changes.erase(id, ACT);

    assertThat(grouped("= 'acme'")).isOne();
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
