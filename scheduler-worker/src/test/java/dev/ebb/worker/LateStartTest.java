package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy's deadline binds the start of an attempt, whatever kept the job until then. */
class LateStartTest {
  private static final RetryPolicy WITHIN_AN_HOUR =
      new RetryPolicy(
          new Backoff.None(new Growth(Duration.ofMillis(20), 2, Duration.ofMillis(200))),
          3,
          Duration.ofHours(1),
          Map.of());

  private final WorkerBench bench = new WorkerBench();
  private final Set<UUID> called = ConcurrentHashMap.newKeySet();

  @AfterEach
  void close() {
    bench.close();
  }

  private UUID submit() throws SQLException {
    return bench.submit(NewJob.builder(WorkerBench.KIND, "{}").policy(WITHIN_AN_HOUR).build());
  }

  /** Has its jobs wait for so long that it might as well have been a pause of two hours. */
  private void twoHoursPass() throws SQLException {
    bench.execute(
        "update ebb.job set created_at = created_at - interval '2 hours',"
            + " run_at = run_at - interval '2 hours',"
            + " redriven_at = redriven_at - interval '2 hours'");
  }

  private void start() {
    bench.start(context -> {
      called.add(context.job().id());
      return Outcome.completed();
    });
  }

  @Test
  void a_job_that_waited_beyond_its_deadline_is_a_dead_letter_and_its_handler_is_not_called()
      throws Exception {
    UUID late = submit();
    twoHoursPass();
    UUID inTime = submit();

    start();

    bench.awaitState(late, JobState.DEAD_LETTER);
    bench.awaitState(inTime, JobState.COMPLETED);
    assertThat(called).containsExactly(inTime);
    JobView dead = bench.view(late);
    assertThat(dead.deadReason()).isEqualTo("deadline");
    assertThat(dead.attempt()).as("it was counted at the claim").isEqualTo(1);
    List<AttemptView> attempts = bench.attempts(late);
    assertThat(attempts).hasSize(1);
    assertThat(attempts.getFirst().outcome()).isEqualTo("fatal");
    Failure error = Objects.requireNonNull(attempts.getFirst().error());
    assertThat(error.reason()).isEqualTo("deadline");
    assertThat(error.message())
        .startsWith("Not started: its policy's deadline, 20")
        .endsWith("Z, had passed.");
  }

  @Test
  void a_job_for_later_has_its_deadline_from_then_on() throws Exception {
    UUID later =
        bench.submit(
            NewJob.builder(WorkerBench.KIND, "{}")
                .policy(WITHIN_AN_HOUR)
                .delay(Duration.ofMinutes(119))
                .build());
    twoHoursPass();

    start();

    bench.awaitState(later, JobState.COMPLETED);
  }

  @Test
  void it_keeps_that_deadline_when_its_first_attempt_has_failed() throws Exception {
    UUID later =
        bench.submit(
            NewJob.builder(WorkerBench.KIND, "{}")
                .policy(WITHIN_AN_HOUR)
                .delay(Duration.ofMinutes(119))
                .build());
    twoHoursPass();

    bench.start(
        context -> context.job().attempt() == 1 ? Outcome.failed("no", "no") : Outcome.completed());

    bench.awaitState(later, JobState.COMPLETED);
    assertThat(bench.view(later).attempt()).isEqualTo(2);
  }

  @Test
  void a_redrive_lets_a_job_that_was_too_late_run() throws Exception {
    UUID late = submit();
    twoHoursPass();
    start();
    bench.awaitState(late, JobState.DEAD_LETTER);

    bench.changes.act(late, new JobAction.Redrive(false, true), Act.onMachine("test"));

    bench.awaitState(late, JobState.COMPLETED);
  }
}
