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

/** Which attempts know the trace that their job was submitted in. */
class TraceparentTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static NewJob.Builder traced() {
    return NewJob.builder("echo", "{}").traceparent(TRACE);
  }

  @Test
  void the_attempts_of_a_job_know_its_trace_also_after_a_retry_and_a_redrive() throws SQLException {
    UUID id = bench.submit(traced().build());

    ClaimedJob first = bench.claimOne();
    assertThat(first.traceparent()).isEqualTo(TRACE);
    bench.retryAtOnce(first);
    ClaimedJob second = bench.claimOne();
    assertThat(second.traceparent()).isEqualTo(TRACE);
    bench.deadLetter(second);
    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(bench.claimOne().traceparent()).isEqualTo(TRACE);
  }

  @Test
  void those_of_jobs_with_ordering_keys_and_unique_keys_know_it_too() throws SQLException {
    bench.submit(traced().orderingKey("o").uniqueKey("u").build());

    assertThat(bench.claimOne().traceparent()).isEqualTo(TRACE);
  }

  @Test
  void a_job_that_was_submitted_in_no_trace_has_none() throws SQLException {
    bench.submitOne();

    assertThat(bench.claimOne().traceparent()).isNull();
  }
}
