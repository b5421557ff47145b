package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs with an ordering key. */
class OrderingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String PARKED =
      "ebb.job where ebb.is_held(blocked_version, version, held_until)";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static NewJob.Builder job(String key) {
    return NewJob.builder("echo", "{}").orderingKey(key);
  }

  private UUID submit(String key) throws SQLException {
    return bench.submit(job(key).build());
  }

  private List<ClaimedJob> claim() throws SQLException {
    return bench.tryClaim(100).map(Lease::jobs).orElse(List.of());
  }

  private List<UUID> claimed() throws SQLException {
    return ids(claim());
  }

  private static List<UUID> ids(List<ClaimedJob> claimed) {
    return claimed.stream().map(one -> one.job().id()).toList();
  }

  private ClaimedJob claimOnly(UUID id) throws SQLException {
    List<ClaimedJob> claimed = claim();
    assertThat(ids(claimed)).containsExactly(id);
    return claimed.getFirst();
  }

  /** For the holds of keys, for what is parked, and for what waits for its next attempt. */
  private void passes(Duration time) throws SQLException {
    bench.execute(
        """
        update ebb.job
        set run_at = run_at - interval '%1$s', held_until = held_until - interval '%1$s',
          held_run_at = held_run_at - interval '%1$s',
          blocks_until = case
            when blocks_until > '-infinity' then blocks_until - interval '%1$s'
            else blocks_until
          end
        """
            .formatted(time));
  }

  @Test
  void jobs_of_a_key_run_one_at_a_time_in_the_order_of_their_submits() throws SQLException {
    List<UUID> submitted = List.of(submit("a"), submit("a"), submit("a"));
    List<UUID> ran = new ArrayList<>();

    for (List<ClaimedJob> claimed = claim(); !claimed.isEmpty(); claimed = claim()) {
      assertThat(claimed).hasSize(1);
      assertThat(claim()).isEmpty();
      ran.addAll(ids(claimed));
      assertThat(bench.complete(claimed.getFirst())).isTrue();
    }

    assertThat(ran).isEqualTo(submitted);
  }

  @Test
  void jobs_of_one_submit_run_in_its_order() throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      jobs.add(job("a").uniqueKey(i % 2 == 0 ? null : "unique-" + (20 - i)).build());
    }
    List<UUID> submitted = bench.jobs.submit(jobs).stream().map(one -> one.id()).toList();

    for (UUID id : submitted) {
      bench.complete(claimOnly(id));
    }
  }

  @Test
  void other_keys_go_on_and_so_do_other_queues_and_jobs_without_a_key() throws SQLException {
    UUID first = submit("a");
    submit("a");
    UUID other = submit("b");
    UUID without = bench.submitOne();
    bench.submit(job("a").queue("elsewhere").build());

    assertThat(claimed()).containsExactly(first, other, without);
    assertThat(bench.jobs.claim(ClaimRequest.of("elsewhere", "node", List.of("echo"), 10, HOUR)))
        .isPresent();
  }

  @Test
  void a_job_that_failed_keeps_those_behind_it_until_its_next_attempt() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    Settlement later = new Settlement.Retry(HOUR, Bench.failure("http_500"));
    bench.fail(claimOnly(first), later);

    assertThat(claimed()).isEmpty();
    passes(HOUR);

    bench.deadLetter(claimOnly(first));
    claimOnly(second);
  }

  @Test
  void neither_a_priority_nor_an_earlier_time_passes_the_first_of_a_key() throws SQLException {
    UUID first = bench.submit(job("a").runAt(Instant.now().plus(HOUR)).build());
    bench.submit(job("a").priority(0).build());
    assertThat(claimed()).isEmpty();

    bench.changes.act(first, new JobAction.Retry(false), Bench.ACT);

    claimOnly(first);
  }

  @Test
  void a_job_whose_submit_commits_late_never_runs_beside_another_of_its_key() throws SQLException {
    try (Connection submitting = TestPostgres.connect(bench.config)) {
      submitting.setAutoCommit(false);
      UUID late = JobQueue.submit(submitting, List.of(job("a").build())).getFirst().id();
      UUID second = submit("a");
      UUID third = submit("a");
      ClaimedJob running = claimOnly(second);
      submitting.commit();

      assertThat(claimed()).isEmpty();

      bench.complete(running);
      bench.complete(claimOnly(late));
      claimOnly(third);
    }
  }

  @Test
  void a_job_whose_worker_is_lost_keeps_those_behind_it() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    claimOnly(first);
    assertThat(claimed()).isEmpty();

    bench.expireLeases();
    assertThat(bench.rescueAll()).isOne();

    bench.complete(claimOnly(first));
    claimOnly(second);
  }

  @Test
  void what_is_behind_another_is_out_of_the_way_of_looks_and_claims() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    submit("a");
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();

    assertThat(bench.count(PARKED)).isEqualTo(2);
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();

    bench.complete(running);

    assertThat(bench.count(PARKED)).isOne();
    assertThat(bench.queuesWithWork("echo", null)).containsExactly(Bench.QUEUE);
    claimOnly(second);
  }

  @Test
  void the_next_one_goes_on_whatever_takes_a_job_away() throws SQLException {
    List<UUID> jobs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      jobs.add(submit("a"));
    }
    bench.deadLetter(claimOnly(jobs.get(0)));
    ClaimedJob cancelled = claimOnly(jobs.get(1));
    assertThat(claimed()).isEmpty();
    bench.settle(cancelled, Outcome.completed(), new Settlement.Cancel());
    assertThat(bench.queuesWithWork("echo", null)).hasSize(1);
    bench.changes.act(jobs.get(2), new JobAction.Cancel(), Bench.ACT);
    ClaimedJob last = claimOnly(jobs.get(3));
    assertThat(claimed()).isEmpty();

    bench.jobs.purge(Bench.QUEUE, true, false, Bench.ACT);
    UUID new1 = submit("a");
    bench.complete(last);

    claimOnly(new1);
  }

  @Test
  void one_that_is_cancelled_while_it_waits_leaves_the_others_waiting() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();

    bench.changes.act(second, new JobAction.Cancel(), Bench.ACT);
    assertThat(claimed()).isEmpty();
    assertThat(bench.count(PARKED)).isOne();

    bench.complete(running);
    claimOnly(third);
  }

  @Test
  void a_job_that_was_skipped_keeps_nobody_and_goes_on_by_itself() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    bench.fail(claimOnly(first), new Settlement.Retry(HOUR, Bench.failure("http_500")));
    assertThat(claimed()).isEmpty();

    bench.execute("update ebb.job set blocks_until = '-infinity' where id = '" + first + "'");

    claimOnly(second);
    passes(HOUR);
    claimOnly(first);
    assertThat(bench.count(PARKED)).isOne();
    assertThat(claimed()).doesNotContain(third);
  }

  private void limitHolds() throws SQLException {
    QueueSettings settings = QueueSettings.of(false, null).with(new Ordering(HOUR));
    new Queues(bench.database).put(Bench.QUEUE, settings, true, Bench.ACT);
  }

  @Test
  void a_job_keeps_others_no_longer_than_the_queue_lets_it() throws SQLException {
    limitHolds();
    UUID first = submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    Settlement later = new Settlement.Retry(Duration.ofDays(1), Bench.failure("http_500"));
    bench.fail(claimOnly(first), later);
    assertThat(claimed()).isEmpty();

    passes(HOUR.minusMinutes(1));
    assertThat(claimed()).isEmpty();
    passes(Duration.ofMinutes(2));

    bench.fail(claimOnly(second), later);
    assertThat(claimed()).isEmpty();
    passes(HOUR);
    claimOnly(third);
  }

  @Test
  void a_hold_counts_from_the_turn_of_the_job() throws SQLException {
    limitHolds();
    submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    ClaimedJob running = claim().getFirst();
    assertThat(claimed()).isEmpty();
    passes(Duration.ofMinutes(50));
    bench.complete(running);
    Settlement later = new Settlement.Retry(Duration.ofDays(1), Bench.failure("http_500"));
    bench.fail(claimOnly(second), later);

    passes(Duration.ofMinutes(20));
    assertThat(claimed()).isEmpty();
    passes(Duration.ofMinutes(45));

    claimOnly(third);
  }

  @Test
  void a_limit_of_holds_that_comes_later_counts_from_the_next_turn() throws SQLException {
    submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    ClaimedJob running = claim().getFirst();
    assertThat(claimed()).isEmpty();
    limitHolds();
    bench.complete(running);
    Settlement later = new Settlement.Retry(Duration.ofDays(1), Bench.failure("http_500"));
    bench.fail(claimOnly(second), later);
    assertThat(claimed()).isEmpty();

    passes(HOUR);

    claimOnly(third);
  }

  @Test
  void waiting_for_its_key_costs_no_attempt_and_no_time_of_a_deadline() throws SQLException {
    RetryPolicy usual = StoredSettings.DEFAULT_POLICY;
    RetryPolicy inTime =
        new RetryPolicy(usual.backoff(), 3, Duration.ofMinutes(30), usual.priorityScale());
    UUID first = submit("a");
    UUID second = bench.submit(job("a").policy(inTime).build());
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();
    bench.execute(
        """
        update ebb.job
        set created_at = created_at - interval '1 hour', held_run_at = held_run_at - interval '1 hour'
        """);

    bench.complete(running);

    Lease lease = bench.claim(1);
    ClaimedJob claimed = lease.jobs().getFirst();
    assertThat(claimed.job().id()).isEqualTo(second);
    assertThat(claimed.job().attempt()).isOne();
    assertThat(claimed.job().mayStart(Instant.now())).isTrue();
    assertThat(lease.lateMicros().getFirst()).isLessThan(HOUR.toNanos() / 2_000);
  }

  @Test
  void the_deadline_of_a_job_that_has_tried_stands_still_while_it_waits() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    bench.execute(
        """
        update ebb.job
        set attempt = 1, created_at = now() - interval '3 hours', run_at = now() - interval '2 hours'
        where id = '%s'
        """
            .formatted(second));
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();

    bench.complete(running);

    assertThat(bench.reads.standing(second).orElseThrow().budgetFrom())
        .isCloseTo(Instant.now().minus(HOUR), within(1, ChronoUnit.MINUTES));
  }

  @Test
  void a_redriven_job_goes_to_the_end_of_its_key() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    bench.deadLetter(claimOnly(first));
    bench.changes.act(first, new JobAction.Redrive(true, false), Bench.ACT);

    bench.complete(claimOnly(second));
    claimOnly(first);
  }

  @Test
  void what_people_do_to_a_job_that_waits_does_not_let_it_pass() throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    UUID third = submit("a");
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();
    bench.changes.act(third, new JobAction.SetPriority(0), Bench.ACT);
    Instant later = Instant.now().plus(HOUR);
    bench.changes.act(second, new JobAction.Reschedule(later), Bench.ACT);
    assertThat(claimed()).isEmpty();

    bench.complete(running);
    assertThat(claimed()).isEmpty();
    passes(HOUR);

    bench.complete(claimOnly(second));
    claimOnly(third);
  }

  @Test
  void a_job_that_people_hold_keeps_its_key_and_waits_for_it_after_its_release()
      throws SQLException {
    UUID first = submit("a");
    UUID second = submit("a");
    ClaimedJob running = claimOnly(first);
    assertThat(claimed()).isEmpty();
    bench.changes.act(second, new JobAction.Hold(null), Bench.ACT);
    UUID third = submit("a");
    bench.complete(running);
    assertThat(claimed()).isEmpty();

    bench.changes.act(second, new JobAction.Release(), Bench.ACT);

    bench.complete(claimOnly(second));
    claimOnly(third);
  }
}
