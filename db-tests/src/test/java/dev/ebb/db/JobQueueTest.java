package dev.ebb.db;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobPage;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state machine of a job, verb by verb, on a real database. */
class JobQueueTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private JobView view(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  @Test
  void a_submitted_job_is_available_with_all_that_was_said_of_it() throws SQLException {
    UUID id =
        bench.submit(
            NewJob.builder("echo", "{\"n\": 1.00}")
                .priority(2)
                .maxAttempts(7)
                .uniqueKey("order-1")
                .timeout(Duration.ofSeconds(9))
                .labels(Map.of("shop", "42"))
                .build());

    JobView job = view(id);
    assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job.payload()).isEqualTo("{\"n\": 1.00}");
    assertThat(job.priority()).isEqualTo(2);
    assertThat(job.attempt()).isZero();
    assertThat(job.maxAttempts()).isEqualTo(7);
    assertThat(job.uniqueKey()).isEqualTo("order-1");
    assertThat(job.timeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(job.labels()).containsExactly(Map.entry("shop", "42"));
    assertThat(bench.attempts(id)).isEmpty();
  }

  @Test
  void a_claimed_job_is_running_and_counts_its_attempt() throws SQLException {
    UUID id = bench.submitOne();

    ClaimedJob claimed = bench.claimOne();

    assertThat(claimed.job().id()).isEqualTo(id);
    assertThat(claimed.job().attempt()).isOne();
    JobView job = view(id);
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.attempt()).isOne();
    assertThat(job.node()).isEqualTo("node");
    assertThat(bench.attempts(id)).singleElement().extracting(AttemptView::endedAt).isNull();
    assertThat(bench.tryClaim(1)).isEmpty();
  }

  @Test
  void a_completed_job_stands_in_the_history_and_nowhere_else() throws SQLException {
    UUID id = bench.submitOne();

    assertThat(bench.complete(bench.claimOne())).isTrue();

    assertThat(view(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(bench.attempts(id))
        .singleElement()
        .satisfies(a -> assertThat(a.outcome()).isEqualTo("completed"));
    assertThat(bench.count("ebb.job")).isZero();
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void a_retried_job_waits_for_its_delay_and_has_spent_an_attempt() throws SQLException {
    UUID id = bench.submitOne();
    bench.fail(
        bench.claimOne(), new Settlement.Retry(Duration.ofHours(1), Bench.failure("http_500")));

    assertThat(bench.tryClaim(1)).isEmpty();
    JobView job = view(id);
    assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
    assertThat(job.attempt()).isOne();
    assertThat(Duration.between(job.times().createdAt(), job.times().runAt()))
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    assertThat(job.lastError()).isEqualTo(Bench.failure("http_500"));
    assertThat(bench.changes.act(id, new JobAction.Retry(false), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    ClaimedJob again = bench.claimOne();
    assertThat(again.job().attempt()).isEqualTo(2);
    assertThat(again.job().lastDelay()).isEqualTo(Duration.ofHours(1));
    assertThat(bench.attempts(id)).extracting(AttemptView::number).containsExactly(1, 2);
  }

  @Test
  void a_job_put_back_is_free_although_its_neighbours_hold_the_lease() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    Lease lease = bench.claim(2);

    bench.settle(
        lease.jobs().getFirst(),
        Outcome.failed("http_500", "no"),
        new Settlement.Retry(Duration.ZERO, Bench.failure("http_500")),
        List.of());

    ClaimedJob again = bench.claimOne();
    assertThat(again.job().id()).isEqualTo(lease.jobs().getFirst().job().id());
    assertThat(again.fencingToken()).isGreaterThan(lease.id());
    assertThat(bench.tryClaim(2)).isEmpty();
  }

  @Test
  void a_released_job_gets_its_attempt_back() throws SQLException {
    bench.submitOne();
    ClaimedJob first = bench.claimOne();

    bench.settle(first, new Outcome.GivenBack(), new Settlement.GiveBack());

    ClaimedJob second = bench.claimOne();
    assertThat(second.job().attempt()).isOne();
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
  }

  @Test
  void a_poll_costs_no_attempt() throws SQLException {
    bench.submitOne();

    bench.settle(
        bench.claimOne(), new Outcome.NotReady(null), new Settlement.Snooze(Duration.ZERO));

    ClaimedJob again = bench.claimOne();
    assertThat(again.job().attempt()).isOne();
    assertThat(again.job().snoozes()).isOne();
  }

  @Test
  void a_dead_letter_tells_why_and_keeps_its_payload() throws SQLException {
    UUID id = bench.submit(NewJob.of("echo", "{\"a\":1}"));

    bench.deadLetter(bench.claimOne());

    JobView job = view(id);
    assertThat(job.state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(job.deadReason()).isEqualTo(Settlement.ATTEMPTS_USED_UP);
    assertThat(job.lastError()).isEqualTo(Bench.failure("http_500"));
    assertThat(job.payload()).isEqualTo("{\"a\":1}");
    assertThat(bench.count("ebb.job")).isZero();
  }

  @Test
  void a_redriven_job_has_a_fresh_budget_and_runs() throws SQLException {
    UUID id = bench.submitOne();
    bench.deadLetter(bench.claimOne());

    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);

    assertThat(bench.count("ebb.dead_letter")).isZero();
    ClaimedJob again = bench.claimOne();
    assertThat(again.job().id()).isEqualTo(id);
    assertThat(again.job().attempt()).isOne();
    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.WRONG_STATE);
    assertThat(bench.changes.act(UUID.randomUUID(), new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.NOT_FOUND);
  }

  @Test
  void a_redriven_job_is_not_the_one_that_its_old_lease_names() throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "{}").maxAttempts(1).build());
    bench.submitOne();
    Lease lease = bench.claim(2);
    ClaimedJob dead = lease.jobs().getFirst();
    bench.settle(
        dead,
        Outcome.failed("http_500", "no"),
        new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, Bench.failure("http_500")),
        List.of());

    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);

    assertThat(bench.settle(dead, Outcome.completed(), new Settlement.Complete(), List.of()))
        .isFalse();
    assertThat(bench.claimOne().job().id()).isEqualTo(id);
  }

  @Test
  void a_redrive_whose_unique_key_is_taken_loses_nothing() throws SQLException {
    NewJob job = NewJob.builder("echo", "{}").uniqueKey("k").build();
    UUID dead = bench.submit(job);
    bench.deadLetter(bench.claimOne());
    UUID holder = bench.submit(job);

    assertThat(bench.changes.act(dead, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.UNIQUE_KEY_TAKEN);

    assertThat(view(dead).state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(view(holder).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void an_available_job_is_cancelled_at_once() throws SQLException {
    UUID id = bench.submitOne();

    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.DONE);

    assertThat(view(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .as("again")
        .isEqualTo(ActionResult.DONE);
    assertThat(bench.changes.act(UUID.randomUUID(), new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.NOT_FOUND);
  }

  @Test
  void a_cancel_of_a_running_job_outlives_its_failure() throws SQLException {
    UUID id = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();

    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.REQUESTED);
    assertThat(bench.jobs.cancelRequested()).containsExactly(id);
    assertThat(bench.retryAtOnce(claimed)).isTrue();

    assertThat(view(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.tryClaim(1)).isEmpty();
  }

  @Test
  void a_running_job_that_completes_is_completed_although_a_cancel_came() throws SQLException {
    UUID id = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);

    assertThat(bench.complete(claimed)).isTrue();

    assertThat(view(id).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void a_running_job_cannot_be_retried_by_hand() throws SQLException {
    UUID id = bench.submitOne();
    bench.claimOne();

    assertThat(bench.changes.act(id, new JobAction.Retry(false), Bench.ACT))
        .isEqualTo(ActionResult.WRONG_STATE);
  }

  @Test
  void jobs_are_claimed_by_priority_then_by_run_at() throws SQLException {
    Instant past = Instant.now().minusSeconds(3600);
    UUID third = bench.submit(NewJob.builder("echo", "3").runAt(past.plusSeconds(9)).build());
    UUID second = bench.submit(NewJob.builder("echo", "2").runAt(past).build());
    UUID first = bench.submit(NewJob.builder("echo", "1").priority(0).build());

    assertThat(bench.claim(10).jobs())
        .extracting(claimed -> claimed.job().id())
        .containsExactly(first, second, third);
  }

  @Test
  void a_claim_takes_no_more_jobs_than_it_has_room_for() throws SQLException {
    for (int i = 0; i < 10; i++) {
      bench.submitOne();
    }

    assertThat(bench.claim(3).jobs()).hasSize(3);
    assertThat(bench.claim(9).jobs()).hasSize(7);
  }

  @Test
  void unknown_kinds_are_never_claimed() throws SQLException {
    bench.submit(NewJob.of("strange", "{}"));

    assertThat(bench.tryClaim(10)).isEmpty();
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();
    assertThat(bench.queuesWithWork("strange", null)).containsExactly(Bench.QUEUE);
  }

  @Test
  void a_paused_queue_gives_nothing_away_until_it_is_resumed() throws SQLException {
    Queues queues = new Queues(bench.database);
    bench.submitOne();

    assertThat(queues.put(Bench.QUEUE, QueueSettings.of(true, null), true, Bench.ACT)).isTrue();
    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();

    assertThat(queues.put(Bench.QUEUE, QueueSettings.of(false, null), true, Bench.ACT)).isFalse();
    assertThat(bench.tryClaim(1)).isPresent();
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();
  }

  @Test
  void a_job_that_is_never_ready_is_a_dead_letter_at_its_deadline_and_no_worker_is_accused()
      throws SQLException {
    UUID id = bench.submitOne();
    Failure notReady = new Failure(Failure.NOT_READY, "Still not ready at the deadline.");

    bench.settle(
        bench.claimOne(),
        new Outcome.NotReady(null),
        new Settlement.DeadLetter(Settlement.DEADLINE, notReady));

    JobView dead = bench.reads.find(id).orElseThrow();
    assertThat(dead.deadReason()).isEqualTo(Settlement.DEADLINE);
    assertThat(dead.lastError()).isEqualTo(notReady);
    assertThat(bench.attempts(id))
        .singleElement()
        .extracting(AttemptView::outcome, AttemptView::error)
        .containsExactly("failed", notReady);
  }

  @Test
  void the_next_draw_builds_on_what_was_drawn_and_not_on_a_wait_that_was_asked_for()
      throws SQLException {
    UUID id = bench.submitOne();
    bench.fail(
        bench.claimOne(),
        new Settlement.Retry(
            Duration.ofHours(1), Duration.ofSeconds(2), Bench.failure("http_429")));
    bench.changes.act(id, new JobAction.Retry(false), Bench.ACT);
    ClaimedJob throttled = bench.claimOne();
    assertThat(throttled.job().lastDelay()).isEqualTo(Duration.ofSeconds(2));

    bench.settle(
        throttled, new Outcome.NotReady(null), new Settlement.Snooze(Duration.ofMinutes(1)));
    bench.changes.act(id, new JobAction.Retry(false), Bench.ACT);

    assertThat(bench.claimOne().job().lastDelay()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_duplicate_stores_nothing_and_names_the_holder_of_the_key() throws SQLException {
    NewJob job = NewJob.builder("echo", "{}").uniqueKey("order-9").build();
    UUID holder = bench.submit(job);

    assertThat(bench.jobs.submit(List.of(job, job)))
        .containsExactly(Submitted.duplicateOf(holder), Submitted.duplicateOf(holder));
    assertThat(bench.count("ebb.job")).isOne();

    bench.complete(bench.claimOne());
    assertThat(bench.jobs.submit(List.of(job)).getFirst().duplicate()).isFalse();
  }

  @Test
  void a_job_commits_or_rolls_back_with_its_callers_data() throws SQLException {
    bench.execute("create table payment (id int primary key)");
    NewJob job = NewJob.builder("echo", "{}").uniqueKey("payment-1").build();
    bench.submit(job);
    try (Connection connection = TestPostgres.connect(bench.config)) {
      connection.setAutoCommit(false);
      connection.createStatement().execute("insert into payment values (1)");
      JobQueue.submit(connection, List.of(NewJob.of("echo", "{}")));
      connection.rollback();
      assertThat(bench.count("ebb.job")).isOne();

      connection.createStatement().execute("insert into payment values (1)");
      assertThat(JobQueue.submit(connection, List.of(job)).getFirst().duplicate()).isTrue();
      assertThatThrownBy(() -> JobQueue.submit(connection, List.of(NewJob.of("echo", "{"))))
          .isInstanceOf(InvalidInput.class);
      JobQueue.submit(connection, List.of(NewJob.of("echo", "{}")));
      connection.commit();
    }
    assertThat(bench.count("payment")).isOne();
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void the_answers_of_a_batch_stand_in_the_order_of_its_jobs() throws SQLException {
    List<NewJob> batch = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      batch.add(NewJob.builder("echo", "" + i).uniqueKey("key-" + (i * 7919 % 1000)).build());
    }

    List<Submitted> answers = bench.jobs.submit(batch);

    for (int i : new int[] {0, 1, 500, 999}) {
      assertThat(view(answers.get(i).id()).payload()).isEqualTo("" + i);
    }
    assertThatThrownBy(
            () -> {
              batch.add(NewJob.of("echo", "1"));
              bench.jobs.submit(batch);
            })
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void lists_show_every_job_once_newest_first_whatever_its_state() throws SQLException {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(bench.submitOne());
    }
    bench.complete(bench.claimOne());
    bench.deadLetter(bench.claimOne());
    bench.claimOne();
    bench.changes.act(ids.get(3), new JobAction.Cancel(), Bench.ACT);

    List<UUID> seen = new ArrayList<>();
    UUID before = null;
    do {
      JobPage page = bench.reads.list(JobFilter.ALL, before, 2);
      page.jobs().forEach(job -> seen.add(job.id()));
      before = page.next();
    } while (before != null);

    assertThat(seen).containsExactlyElementsOf(ids.reversed());
    assertThat(states(Phase.RUNNING)).containsExactly(ids.get(2));
    assertThat(states(Phase.DUE)).containsExactly(ids.get(5), ids.get(4));
    assertThat(states(Phase.COMPLETED)).containsExactly(ids.get(0));
    assertThat(states(Phase.DEAD_LETTER)).containsExactly(ids.get(1));
    assertThat(states(Phase.CANCELLED)).containsExactly(ids.get(3));
  }

  private List<UUID> states(Phase phase) throws SQLException {
    return bench.reads.list(JobFilter.ALL.in(phase), null, 10).jobs().stream()
        .map(JobView::id)
        .toList();
  }

  @Test
  void a_submit_answers_what_is_stored() throws SQLException {
    Instant later = Instant.parse("2100-01-01T00:00:00.123456Z");
    for (RetryPolicy queuePolicy : Arrays.asList(null, Presets.policy("sip"))) {
      new Queues(bench.database)
          .put(Bench.QUEUE, QueueSettings.of(false, queuePolicy), true, Bench.ACT);
      List<NewJob> jobs =
          List.of(
              job().build(),
              job().uniqueKey("key-" + queuePolicy).build(),
              job().maxAttempts(7).priority(3).labels(Map.of("a", "b")).build(),
              job().policy(Presets.policy("svix")).runAt(later).build(),
              job().delay(Duration.ofMinutes(1)).timeout(Duration.ofNanos(1_999_999)).build());
      List<Submitted> answers = bench.jobs.submit(jobs);
      for (int i = 0; i < jobs.size(); i++) {
        Submitted answer = answers.get(i);
        assertThat(JobView.of(answer.id(), jobs.get(i), requireNonNull(answer.stored())))
            .isEqualTo(view(answer.id()));
      }
    }
  }

  private static NewJob.Builder job() {
    return NewJob.builder("echo", "[1]");
  }
}
