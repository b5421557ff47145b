package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.view.JobStanding;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From when the deadline of a job counts, whatever is done to it. */
class BudgetFromTest {
  private final Instant dayAhead =
      Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS);

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

  private UUID submit() throws SQLException {
    return bench.submitOne();
  }

  private UUID submitFor(Instant runAt) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").runAt(runAt).build());
  }

  private void age(UUID id, String interval) throws SQLException {
    bench.execute(
        "update ebb.job set created_at = created_at - interval '%1$s', run_at = run_at - interval '%1$s', redriven_at = redriven_at - interval '%1$s' where id = '%2$s'"
            .formatted(interval, id));
  }

  private JobStanding standing(UUID id) throws SQLException {
    return bench.reads.standing(id).orElseThrow();
  }

  private void assertFrom(UUID id, Instant expected) throws SQLException {
    assertThat(standing(id).budgetFrom()).isCloseTo(expected, within(5, ChronoUnit.MINUTES));
  }

  private static Instant hoursAgo(int hours) {
    return Instant.now().minus(Duration.ofHours(hours));
  }

  @Test
  void from_its_submit() throws SQLException {
    UUID id = submit();
    age(id, "3 hours");

    assertFrom(id, hoursAgo(3));
  }

  @Test
  void from_the_later_time_for_which_it_was_submitted() throws SQLException {
    assertFrom(submitFor(dayAhead), dayAhead);
  }

  @Test
  void a_time_before_the_submit_does_not_count() throws SQLException {
    assertFrom(submitFor(hoursAgo(5)), Instant.now());
  }

  @Test
  void retries_snoozes_and_a_drain_do_not_move_it() throws SQLException {
    UUID id = submitFor(Instant.now().plus(Duration.ofHours(3)));
    age(id, "4 hours");
    bench.settle(bench.claimOne(), new Outcome.GivenBack(), new Settlement.GiveBack());
    assertFrom(id, hoursAgo(1));
    bench.settle(
        bench.claimOne(), new Outcome.NotReady(null), new Settlement.Snooze(Duration.ZERO));
    assertFrom(id, hoursAgo(1));
    bench.retryAtOnce(bench.claimOne());

    assertFrom(id, hoursAgo(1));
  }

  @Test
  void retries_leave_it_at_the_submit_too() throws SQLException {
    UUID id = submit();
    age(id, "3 hours");
    bench.retryAtOnce(bench.claimOne());

    assertFrom(id, hoursAgo(3));
  }

  @Test
  void a_hold_does_not_move_it_and_neither_does_its_end() throws SQLException {
    UUID id = submit();
    age(id, "3 hours");

    changes.act(id, new JobAction.Hold(dayAhead), Bench.ACT);
    assertFrom(id, hoursAgo(3));
    bench.execute("update ebb.job set run_at = now(), held_until = now()");
    assertFrom(id, hoursAgo(3));
  }

  @Test
  void a_retry_by_hand_does_not_restart_it_but_ends_a_time_that_lies_ahead() throws SQLException {
    UUID due = submit();
    age(due, "3 hours");
    bench.retryAtOnce(bench.claimOne());
    UUID later = submitFor(dayAhead);

    bench.changes.act(due, new JobAction.Retry(false), Bench.ACT);
    bench.changes.act(later, new JobAction.Retry(false), Bench.ACT);

    assertFrom(due, hoursAgo(3));
    assertFrom(later, Instant.now());
  }

  @Test
  void another_time_by_hand_restarts_it_and_any_other_change_does_not() throws SQLException {
    UUID moved = submit();
    age(moved, "3 hours");
    bench.retryAtOnce(bench.claimOne());
    UUID changed = submit();
    age(changed, "3 hours");
    bench.settle(
        bench.claimOne(),
        Outcome.failed("no", "no"),
        new Settlement.Retry(Duration.ofHours(1), Bench.failure("no")));

    patch(moved, dayAhead);
    patch(changed, bench.reads.find(changed).orElseThrow().times().runAt());

    assertFrom(moved, dayAhead);
    assertFrom(changed, hoursAgo(3));
  }

  private void patch(UUID id, Instant runAt) throws SQLException {
    NewJob job = NewJob.builder("echo", "{}").runAt(runAt).maxAttempts(9).priority(1).build();
    assertThat(changes.patch(bench.reads.find(id).orElseThrow(), job, Bench.ACT)).isTrue();
  }
}
