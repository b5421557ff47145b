package dev.ebb.db.settle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.AttemptWait;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When attempts were due, and what they waited for. */
class AttemptWaitsTest {
  /** The limiter's interval; so long that what the test itself takes does not count beside it. */
  private static final Duration HOLD = Duration.ofSeconds(1_000);

  private static final Duration A_MOMENT = Duration.ofSeconds(100);

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void limit(double permitsPerSecond) throws SQLException {
    RateLimit limit = RateLimit.of(permitsPerSecond, Duration.ZERO, 1);
    new Queues(bench.database)
        .put(Bench.QUEUE, new QueueSettings(false, null, limit, null), true, Bench.ACT);
  }

  private ClaimedJob claim() throws SQLException {
    ClaimRequest request = ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), 1, Bench.LEASE);
    return new Claimer(bench.database)
        .claim(request, List.of())
        .lease()
        .orElseThrow()
        .jobs()
        .getFirst();
  }

  /** As if everything had happened that much earlier. */
  private void pass(String time) throws SQLException {
    bench.execute(
        """
        update ebb.job
        set run_at = run_at - interval '%1$s', created_at = created_at - interval '%1$s';
        update ebb.limiter
        set next_free_at = next_free_at - interval '%1$s',
          short_since = short_since - interval '%1$s', short_until = short_until - interval '%1$s'
        """
            .formatted(time));
  }

  /** A job that the limiter held, and that is claimed now. */
  private ClaimedJob held() throws SQLException {
    limit(0.001);
    bench.submitOne();
    ClaimedJob first = claim();
    bench.submitOne();
    pass("1000 s");
    ClaimedJob held = claim();
    assertThat(held.job().id()).isNotEqualTo(first.job().id());
    return held;
  }

  private AttemptView attempt(UUID id) throws SQLException {
    return bench.attempts(id).getLast();
  }

  private AttemptWait waited(ClaimedJob claimed) throws SQLException {
    return requireNonNull(attempt(claimed.job().id()).waited());
  }

  private void assertHeld(ClaimedJob claimed) throws SQLException {
    assertThat(waited(claimed).limiter()).isCloseTo(HOLD, A_MOMENT);
    assertThat(waited(claimed).slot()).isLessThan(A_MOMENT);
  }

  private Instant runAt(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow().times().runAt();
  }

  private static Settlement giveUp() {
    return new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, Bench.failure("http_500"));
  }

  @Test
  void a_job_that_the_limiter_held_waited_for_the_limiter_however_it_ends() throws SQLException {
    ClaimedJob held = held();
    assertHeld(held);

    assertThat(bench.complete(held)).isTrue();
    assertHeld(held);

    bench.submitOne();
    pass("1000 s");
    ClaimedJob failed = claim();
    assertThat(bench.settle(failed, Outcome.failed("http_500", "no"), giveUp())).isTrue();
    assertHeld(failed);

    bench.submitOne();
    pass("1000 s");
    ClaimedJob cancelled = claim();
    assertThat(bench.settle(cancelled, new Outcome.Cancelled(), new Settlement.Cancel())).isTrue();
    assertHeld(cancelled);
  }

  @Test
  void control_without_what_the_lease_tells_of_the_limiter_all_of_it_counts_as_slot()
      throws SQLException {
    ClaimedJob held = held();
    bench.execute("update ebb.lease set short_since = null, short_until = null");

    assertThat(bench.complete(held)).isTrue();

    assertThat(waited(held).limiter()).isZero();
    assertThat(waited(held).slot()).isGreaterThanOrEqualTo(HOLD);
  }

  @Test
  void a_job_of_an_unlimited_queue_waited_for_a_slot() throws SQLException {
    bench.submitOne();
    pass("1000 s");
    ClaimedJob claimed = claim();

    assertThat(bench.complete(claimed)).isTrue();

    assertThat(waited(claimed).limiter()).isZero();
    assertThat(waited(claimed).slot()).isGreaterThanOrEqualTo(HOLD);
    assertThat(bench.count("ebb.history where short_since is not null")).isZero();
  }

  @Test
  void a_job_that_nobody_claimed_after_the_shortage_waited_for_a_slot_from_then_on()
      throws SQLException {
    limit(0.001);
    bench.submitOne();
    assertThat(bench.complete(claim())).isTrue();
    bench.submitOne();
    pass("3000 s");

    ClaimedJob late = claim();

    assertThat(waited(late).limiter()).isCloseTo(HOLD, A_MOMENT);
    assertThat(waited(late).slot()).isCloseTo(HOLD.multipliedBy(2), A_MOMENT);
  }

  @Test
  void a_shortage_that_ended_before_a_job_was_due_is_none_of_its_wait() throws SQLException {
    limit(0.001);
    bench.submitOne();
    assertThat(bench.complete(claim())).isTrue();
    pass("1 h");
    bench.submitOne();

    assertThat(waited(claim()).limiter()).isZero();
  }

  @Test
  void a_limiter_that_has_permits_left_holds_nobody() throws SQLException {
    limit(1_000);
    bench.submitOne();
    bench.submitOne();

    assertThat(bench.complete(claim())).isTrue();

    Limiters limiters = new Limiters(bench.database);
    assertThat(limiters.find(Bench.QUEUE).orElseThrow().shortage()).isNull();
    assertThat(waited(claim()).limiter()).isZero();
  }

  @Test
  void each_attempt_keeps_its_own_due_instant() throws SQLException {
    UUID id = bench.submitOne();
    Instant first = runAt(id);
    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();
    Instant second = runAt(id);
    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();
    Instant third = runAt(id);
    assertThat(bench.complete(bench.claimOne())).isTrue();

    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
    assertThat(bench.attempts(id))
        .extracting(AttemptView::dueAt)
        .containsExactly(first, second, third);
  }

  @Test
  void a_rescue_keeps_the_due_instant_and_the_wait() throws SQLException {
    ClaimedJob held = held();
    Instant due = runAt(held.job().id());
    bench.expireLeases();

    assertThat(bench.rescueAll()).isEqualTo(2);

    AttemptView lost = attempt(held.job().id());
    assertThat(requireNonNull(lost.error()).reason()).isEqualTo("worker_lost");
    assertThat(lost.dueAt()).isEqualTo(due);
    assertHeld(held);
  }

  @Test
  void an_attempt_after_one_that_was_given_back_waits_from_then_on() throws SQLException {
    UUID id = bench.submitOne();
    pass("1000 s");
    ClaimedJob drained = bench.claimOne();
    assertThat(bench.settle(drained, new Outcome.GivenBack(), new Settlement.GiveBack())).isTrue();

    ClaimedJob again = bench.claimOne();

    assertThat(attempt(id).dueAt()).isEqualTo(runAt(id));
    assertThat(waited(again).slot()).isLessThan(A_MOMENT);
  }

  @Test
  void a_job_is_not_due_before_its_submit() throws SQLException {
    UUID id = bench.submitOne();
    bench.execute("update ebb.job set run_at = run_at - interval '1 h'");
    Instant submitted = bench.reads.find(id).orElseThrow().times().createdAt();

    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();

    assertThat(attempt(id).dueAt()).isEqualTo(submitted);
  }

  @Test
  void what_a_node_that_knows_nothing_of_it_wrote_is_not_known() throws SQLException {
    UUID id = bench.submit(NewJob.of("echo", "{}"));
    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();
    assertThat(bench.complete(bench.claimOne())).isTrue();
    bench.execute("update ebb.attempt set due_at = null, recorded_at = null");
    bench.execute("update ebb.history set recorded_at = null");

    assertThat(bench.attempts(id))
        .hasSize(2)
        .allSatisfy(attempt -> {
          assertThat(attempt.dueAt()).isNull();
          assertThat(attempt.waited()).isNull();
          assertThat(attempt.recordedAt()).isNull();
        });
  }

  @Test
  void an_attempt_tells_when_its_outcome_was_written() throws SQLException {
    UUID id = bench.submitOne();
    Settlement retry = new Settlement.Retry(Duration.ZERO, Bench.failure("http_500"));
    settleOneThatEndedAMomentAgo(Outcome.failed("http_500", "no"), retry);
    settleOneThatEndedAMomentAgo(Outcome.completed(), new Settlement.Complete());

    assertThat(bench.attempts(id))
        .hasSize(2)
        .allSatisfy(attempt ->
            assertThat(attempt.recordedAt())
                .isBetween(
                    requireNonNull(attempt.endedAt()).plus(A_MOMENT),
                    attempt.endedAt().plus(A_MOMENT.multipliedBy(2))));
  }

  private void settleOneThatEndedAMomentAgo(Outcome outcome, Settlement settlement)
      throws SQLException {
    ClaimedJob claimed = bench.claimOne();
    assertThat(attempt(claimed.job().id()).recordedAt()).isNull();
    FinishedAttempt finished =
        new FinishedAttempt(
            claimed,
            outcome,
            settlement,
            "node",
            System.nanoTime() - A_MOMENT.plusSeconds(3).toNanos(),
            Duration.ofSeconds(3),
            null);
    assertThat(bench.jobs.settle(List.of(finished), List.of())).isEmpty();
  }
}
