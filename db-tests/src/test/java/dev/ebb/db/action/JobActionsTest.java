package dev.ebb.db.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the actions have in common. */
class JobActionsTest {
  private static final String WAITS_FOR_A_ROW =
      "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

  private Bench bench;

  @BeforeEach
  void start() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  static List<JobAction> actions() {
    NewJob fields = NewJob.builder("echo", "{}").maxAttempts(3).build();
    return List.of(
        new JobAction.Cancel(),
        new JobAction.Retry(false),
        new JobAction.Reschedule(Instant.EPOCH),
        new JobAction.Hold(null),
        new JobAction.SetPriority(1),
        new JobAction.Patch(fields, 0, 0),
        new JobAction.Redrive(false, true),
        new JobAction.Discard());
  }

  private UUID jobFor(JobAction action) throws SQLException {
    UUID id = bench.submitOne();
    if (!action.isOfLiveJobs()) {
      assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    }
    return id;
  }

  @ParameterizedTest
  @MethodSource("actions")
  void an_action_on_one_job_waits_for_those_who_have_it_locked(JobAction action) throws Exception {
    UUID id = jobFor(action);
    String table = action.isOfLiveJobs() ? "ebb.job" : "ebb.dead_letter";
    try (Connection holder = TestPostgres.connect(bench.config);
        Statement statement = holder.createStatement();
        ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      holder.setAutoCommit(false);
      statement.execute("select from " + table + " where id = '" + id + "' for update");

      Future<ActionResult> result = other.submit(() -> bench.changes.act(id, action, Bench.ACT));
      bench.awaitRow(WAITS_FOR_A_ROW, Duration.ofSeconds(30));
      holder.commit();

      assertThat(result.get()).isEqualTo(ActionResult.DONE);
    }
    assertThat(bench.count("ebb.audit where action = 'job." + action.auditWord() + "'")).isOne();
  }

  @ParameterizedTest
  @MethodSource("actions")
  void an_action_leaves_a_job_that_runs_unless_it_asks_it_to_stop(JobAction action)
      throws SQLException {
    UUID id = bench.submitOne();
    var claimed = bench.claimOne();

    ActionResult result = bench.changes.act(id, action, Bench.ACT);

    boolean asks = action instanceof JobAction.Cancel;
    assertThat(result).isEqualTo(asks ? ActionResult.REQUESTED : ActionResult.WRONG_STATE);
    assertThat(bench.complete(claimed)).as("the lease still owns it").isTrue();
  }

  @Test
  void an_action_takes_no_job_of_a_queue_whose_lock_it_has_not() throws SQLException {
    UUID id = bench.submitOne();

    List<ActedJob> acted =
        bench.database.inTransaction(connection ->
            JobActions.many(
                connection, new JobAction.Cancel(), List.of(id), List.of("other"), null));

    assertThat(acted).isEmpty();
    assertThat(bench.count("ebb.job")).isOne();
  }
}
