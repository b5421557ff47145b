package dev.ebb.db.claim;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateCut;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims of a queue with limits, and what they leave behind. */
class LimitedClaimTest {
  private static final int WANTED = 500;

  private static final String WAITING_FOR_A_QUEUE_LOCK =
      """
      pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
      """;

  private Bench bench;
  private Queues queues;
  private Limiters limiters;
  private Claimer claimer;

  @BeforeEach
  void open() {
    bench = new Bench();
    queues = new Queues(bench.database);
    limiters = new Limiters(bench.database);
    claimer = new Claimer(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void limit(double permitsPerSecond, Duration warmUp, double coldFactor)
      throws SQLException {
    RateLimit limit = RateLimit.of(permitsPerSecond, warmUp, coldFactor);
    queues.put(Bench.QUEUE, new QueueSettings(false, null, limit, null), true, Bench.ACT);
  }

  private void limitConcurrency(int most) throws SQLException {
    queues.put(Bench.QUEUE, new QueueSettings(false, null, null, most), true, Bench.ACT);
  }

  private void submit(int jobs) throws SQLException {
    bench.jobs.submit(Collections.nCopies(jobs, NewJob.of("echo", "{}")));
  }

  private ClaimAnswer claim() throws SQLException {
    return claim(WANTED);
  }

  private ClaimAnswer claim(int most) throws SQLException {
    return claimer.claim(
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), most, Duration.ofHours(1)),
        List.of());
  }

  private static int size(ClaimAnswer answer) {
    return answer.lease().map(lease -> lease.jobs().size()).orElse(0);
  }

  private Limiters.LimiterView seen() throws SQLException {
    return limiters.find(Bench.QUEUE).orElseThrow();
  }

  @Test
  void a_claim_gets_what_the_limiter_permits_and_is_told_when_to_come_again() throws SQLException {
    limit(0.5, Duration.ZERO, 1);
    submit(100);

    ClaimAnswer first = claim();
    ClaimAnswer second = claim();

    assertThat(size(first)).isEqualTo(1);
    assertThat(first.limited()).isTrue();
    assertThat(first.closedFor()).isEqualTo(Duration.ofMillis(1_975));
    assertThat(second.lease()).isEmpty();
    assertThat(second.closedFor())
        .as("half a burst window behind the next permit, which the first may take")
        .isBetween(Duration.ofMillis(1), Duration.ofMillis(2_025));
  }

  @Test
  void a_claim_that_is_refused_costs_no_attempt_and_writes_nothing() throws SQLException {
    limit(0.01, Duration.ZERO, 1);
    submit(3);
    assertThat(size(claim())).isEqualTo(1);
    Instant paid = seen().state().nextFreeAt();

    for (int i = 0; i < 20; i++) {
      assertThat(claim().lease()).isEmpty();
    }

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
    assertThat(bench.count("ebb.job where attempt > 0")).isZero();
    assertThat(seen().state().nextFreeAt()).isEqualTo(paid);
  }

  @Test
  void no_more_permits_are_used_than_jobs_are_claimed() throws SQLException {
    limit(1_000, Duration.ZERO, 1);
    submit(7);

    assertThat(size(claim())).isEqualTo(7);

    Duration paid = Duration.between(seen().now(), seen().state().nextFreeAt());
    assertThat(paid).isLessThanOrEqualTo(Duration.ofMillis(7));
    assertThat(claim().lease()).isEmpty();
    submit(500);
    assertThat(size(claim())).isGreaterThanOrEqualTo(44);
  }

  @Test
  void jobs_whose_deadline_has_passed_use_no_permit() throws SQLException {
    // One in a minute, so that no other comes while the test goes on.
    limit(1.0 / 60, Duration.ZERO, 1);
    RetryPolicy hour =
        new RetryPolicy(StoredSettings.DEFAULT_POLICY.backoff(), 3, Duration.ofHours(1), Map.of());
    bench.jobs.submit(Collections.nCopies(7, NewJob.builder("echo", "{}").policy(hour).build()));
    bench.execute(
        "update ebb.job set created_at = created_at - interval '2 hours',"
            + " run_at = run_at - interval '2 hours'");
    submit(2);

    int claimed = 0;
    for (ClaimAnswer one = claim(); one.lease().isPresent(); one = claim()) {
      claimed += size(one);
    }

    assertThat(claimed).as("those and one in time").isEqualTo(8);
  }

  @Test
  void an_idle_limited_queue_is_claimed_from_without_a_write() throws SQLException {
    limit(10, Duration.ofMinutes(1), 3);

    for (int i = 0; i < 10; i++) {
      assertThat(claim().lease()).isEmpty();
    }

    assertThat(bench.count("ebb.limiter")).isZero();
    assertThat(seen().state().coldness()).isEqualTo(1);
  }

  @Test
  void a_queue_without_limits_has_no_limiter() throws SQLException {
    submit(10);

    ClaimAnswer answer = claim();

    assertThat(size(answer)).isEqualTo(10);
    assertThat(answer.limited()).isFalse();
    assertThat(bench.count("ebb.limiter")).isZero();
  }

  @Test
  void limits_that_come_and_go_count_from_the_next_claim_on() throws SQLException {
    submit(1_000);
    assertThat(size(claim(10))).isEqualTo(10);
    limit(100, Duration.ZERO, 1);
    assertThat(size(claim())).isEqualTo(6);
    queues.put(Bench.QUEUE, QueueSettings.of(false, null), true, Bench.ACT);
    assertThat(size(claim())).isEqualTo(WANTED);
    assertThat(bench.count("ebb.limiter")).isZero();
  }

  @Test
  void a_changed_rate_keeps_the_share_of_stored_permits() throws SQLException {
    limit(100, Duration.ofSeconds(10), 3);
    submit(500);
    claim();
    double before = seen().state().coldness();

    limit(300, Duration.ofSeconds(10), 3);

    assertThat(before).isBetween(0.9, 0.9999);
    assertThat(seen().state().coldness()).isCloseTo(before, within(0.05));
  }

  @Test
  void no_more_jobs_are_in_flight_than_the_limit_whoever_claims_and_however_they_end()
      throws SQLException {
    limitConcurrency(5);
    submit(20);
    JobQueue otherNode = new JobQueue(bench.database);

    Lease three = claim(3).lease().orElseThrow();
    assertThat(three.jobs()).hasSize(3);
    assertThat(
            otherNode
                .claim(ClaimRequest.of(Bench.QUEUE, "other", List.of("echo"), 9, Bench.LEASE))
                .orElseThrow()
                .jobs())
        .hasSize(2);
    ClaimAnswer full = claim();
    assertThat(full.lease()).isEmpty();
    assertThat(full.full()).isTrue();
    assertThat(full.closedFor()).isPositive();

    // One of a lease is enough: its row stays until the last.
    assertThat(bench.settle(three.jobs().getFirst(), done(), complete(), List.of())).isTrue();
    assertThat(size(claim())).isEqualTo(1);
    assertThat(claim().lease()).isEmpty();

    // What a dead node held counts until it is rescued.
    bench.expireLeases();
    assertThat(claim().lease()).isEmpty();
    bench.rescue(
        new dev.ebb.core.job.Settlement.Retry(Duration.ofHours(1), Bench.failure("worker_lost")));
    assertThat(size(claim())).isEqualTo(5);
  }

  private static dev.ebb.core.job.Outcome done() {
    return dev.ebb.core.job.Outcome.completed();
  }

  private static dev.ebb.core.job.Settlement complete() {
    return new dev.ebb.core.job.Settlement.Complete();
  }

  /** A queue that was warm is so after five seconds of no use. */
  private static final double HALF_COLD = 0.5;

  private void makeWarm() throws SQLException {
    limit(100, Duration.ofSeconds(10), 3);
    submit(10);
    claim();
    bench.execute("update ebb.limiter set coldness = 0, next_free_at = clock_timestamp()");
  }

  @Test
  void a_resumed_queue_comes_back_through_the_ramp_unless_it_is_told_not_to() throws SQLException {
    makeWarm();
    RateLimit limit = seen().rate();
    queues.put(Bench.QUEUE, new QueueSettings(true, null, limit, null), true, Bench.ACT);
    queues.put(Bench.QUEUE, new QueueSettings(false, null, limit, null), false, Bench.ACT);
    assertThat(seen().state().coldness()).isLessThan(HALF_COLD);

    queues.put(Bench.QUEUE, new QueueSettings(false, null, limit, null), true, Bench.ACT);
    assertThat(seen().state().coldness()).as("it was not paused").isLessThan(HALF_COLD);

    queues.put(Bench.QUEUE, new QueueSettings(true, null, limit, null), true, Bench.ACT);
    queues.put(Bench.QUEUE, new QueueSettings(false, null, limit, null), true, Bench.ACT);
    assertThat(seen().state().coldness()).isEqualTo(1);
  }

  @Test
  void a_queue_that_is_resumed_without_warm_up_goes_on_as_it_was_before_the_pause()
      throws SQLException {
    makeWarm();
    RateLimit limit = seen().rate();
    queues.put(Bench.QUEUE, new QueueSettings(true, null, limit, null), true, Bench.ACT);
    letPass(Duration.ofMinutes(5));
    queues.put(Bench.QUEUE, new QueueSettings(true, null, limit, 7), true, Bench.ACT);
    letPass(Duration.ofMinutes(5));

    queues.put(Bench.QUEUE, new QueueSettings(false, null, limit, null), false, Bench.ACT);

    assertThat(phase()).isEqualTo(WarmUpLimiter.Phase.WARM);
  }

  @Test
  void idle_time_counts_by_the_warm_up_period_that_it_passed_under() throws SQLException {
    makeWarm();
    letPass(Duration.ofSeconds(10));
    limit(100, Duration.ofHours(1), 3);
    assertThat(phase()).as("it was cold").isEqualTo(WarmUpLimiter.Phase.COLD);

    bench.execute("update ebb.limiter set coldness = 0, next_free_at = clock_timestamp()");
    letPass(Duration.ofSeconds(30));
    limit(100, Duration.ofSeconds(10), 3);
    assertThat(phase()).as("it was warm").isEqualTo(WarmUpLimiter.Phase.WARM);
  }

  private WarmUpLimiter.Phase phase() throws SQLException {
    Limiters.LimiterView seen = seen();
    return new WarmUpLimiter(requireNonNull(seen.rate())).view(seen.state(), seen.now()).phase();
  }

  @Test
  void a_redriven_job_comes_back_through_the_ramp_unless_it_is_told_not_to() throws SQLException {
    List<UUID> dead = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      dead.add(bench.submitOne());
      assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    }
    makeWarm();

    assertThat(bench.changes.act(dead.getFirst(), new JobAction.Redrive(false, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(seen().state().coldness()).isZero();
    assertThat(bench.changes.act(dead.getLast(), new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(seen().state().coldness()).isEqualTo(1);
  }

  @Test
  void what_was_claimed_while_the_limits_were_taken_away_is_not_forgotten() throws Exception {
    limit(10, Duration.ZERO, 1);
    submit(3);
    FutureTask<ClaimAnswer> claim = new FutureTask<>(this::claim);
    try (Connection other = TestPostgres.connect(bench.config);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(6644322, hashtext('default'))");
      Thread.startVirtualThread(claim);
      bench.awaitRow(WAITING_FOR_A_QUEUE_LOCK, Duration.ofSeconds(30));
      statement.execute("update ebb.queue set rate_limit = null");
      other.commit();
    }

    assertThat(size(claim.get())).isEqualTo(3);
    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  /** Sets the limiter back in time, as idle time or a clock that was set forward does. */
  private void letPass(Duration length) throws SQLException {
    bench.execute(
        """
        update ebb.limiter
        set next_free_at = next_free_at - interval '%1$s ms', cut_at = cut_at - interval '%1$s ms',
          cut_quiet_since = cut_quiet_since - interval '%1$s ms'
        """
            .formatted(length.toMillis()));
  }

  @ParameterizedTest
  @CsvSource({"5, 0.5", "10, 1", "60, 1"})
  void idle_time_makes_a_warm_queue_as_cold_as_its_share_of_the_period(int seconds, double coldness)
      throws SQLException {
    long start = System.nanoTime();
    makeWarm();
    submit(500);
    letPass(Duration.ofSeconds(seconds));

    int claimed = size(claim(1));

    assertThat(claimed).isEqualTo(1);
    double ownShare = (System.nanoTime() - start) / 1e9 / 10;
    // Of the 1,000 that can be stored, one is used; the test takes a moment itself.
    assertThat(seen().state().coldness())
        .isBetween(coldness - 0.05, Math.min(1, coldness + ownShare));
  }

  @Test
  void a_database_clock_that_steps_back_an_hour_keeps_a_queue_shut_for_a_block_and_a_permit()
      throws SQLException {
    limit(10, Duration.ofSeconds(10), 3);
    submit(100);
    assertThat(size(claim())).isEqualTo(1);
    double before = seen().state().coldness();
    letPass(Duration.ofHours(-1));

    ClaimAnswer shut = claim();

    assertThat(shut.lease()).isEmpty();
    Duration dearest = Duration.ofMillis(300);
    Duration latest = dearest.plusMillis(WarmUpLimiter.BURST_MILLIS);
    assertThat(seen().state().nextFreeAt()).isBeforeOrEqualTo(seen().now().plus(latest));
    assertThat(shut.closedFor())
        .isLessThanOrEqualTo(latest.plusMillis(WarmUpLimiter.BURST_MILLIS / 2))
        .isPositive();
    assertThat(seen().state().coldness()).as("nothing was opened").isEqualTo(before);
    letPass(shut.closedFor());
    assertThat(size(claim())).isEqualTo(1);
  }

  @Test
  void a_throttled_attempt_cuts_the_rate_once_for_all_that_were_claimed_before()
      throws SQLException {
    limit(1_000, Duration.ZERO, 1);
    submit(100);
    List<ClaimedJob> claimed = claim(30).lease().orElseThrow().jobs();

    limiters.throttled(Bench.QUEUE, claimed.get(0).claimedAt());
    RateCut first = requireNonNull(seen().state().cut());
    limiters.throttled(Bench.QUEUE, claimed.get(1).claimedAt());

    RateCut same = requireNonNull(seen().state().cut());
    assertThat(same.at()).isEqualTo(first.at());
    assertThat(same.quietSince()).as("its recovery is postponed").isAfter(first.at());
    WarmUpLimiter limiter = new WarmUpLimiter(requireNonNull(seen().rate()));
    assertThat(limiter.view(seen().state(), first.at()).currentRate()).isCloseTo(500, within(1e-6));
    letPass(Duration.ofSeconds(2));
    limiters.throttled(Bench.QUEUE, seen().now());
    assertThat(requireNonNull(seen().state().cut()).at()).isAfter(first.at());
  }

  @Test
  void a_claim_time_is_read_from_the_fencing_token() throws SQLException {
    submit(1);
    Instant before = seenNow();
    ClaimedJob claimed = claim().lease().orElseThrow().jobs().getFirst();

    assertThat(claimed.claimedAt()).isBetween(before, seenNow());
  }

  private Instant seenNow() throws SQLException {
    return bench.jobs.expiry().now();
  }
}
