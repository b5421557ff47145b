package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.JobState;
import dev.ebb.core.Outcome;
import dev.ebb.core.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches of many kinds, under live and stale tokens. */
class SettleTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Settled settled(Claimed claimed, Outcome outcome, Settlement settlement) {
    return new Settled(
        claimed, outcome, settlement, "node", System.nanoTime(), Duration.ofMillis(1), null);
  }

  private static Settled completed(Claimed claimed) {
    return settled(claimed, Outcome.completed(), new Settlement.Complete());
  }

  private static Settled failed(Claimed claimed) {
    return settled(
        claimed,
        Outcome.failed("http_500", "no"),
        new Settlement.Retry(Duration.ZERO, Bench.failure("http_500")));
  }

  @Test
  void every_ended_lease_of_a_mixed_batch_is_gone() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    Claimed first = bench.claimOne();
    Claimed second = bench.claimOne();

    List<Settled> refused =
        bench.jobs.settle(
            List.of(failed(second), completed(first)),
            List.of(first.fencingToken(), second.fencingToken()));

    assertThat(refused).isEmpty();
    assertThat(bench.count("ebb.lease")).isZero();
    assertThat(bench.count("ebb.history")).isOne();
    assertThat(bench.count("ebb.attempt")).isOne();
  }

  @Test
  void of_a_job_under_an_old_and_a_new_token_only_the_new_one_is_settled() throws SQLException {
    UUID id = bench.submitOne();
    Claimed old = bench.claimOne();
    bench.expireLeases();
    bench.jobs.rescue(
        10, (c, lost, now) -> new Settlement.Retry(Duration.ZERO, Bench.failure("worker_lost")));
    Claimed now = bench.claimOne();

    Settled stale = failed(old);
    assertThat(bench.jobs.settle(List.of(stale, failed(now)), List.of(now.fencingToken())))
        .containsExactly(stale);

    assertThat(bench.reads.attempts(id)).extracting(AttemptView::number).containsExactly(1, 2);
    Claimed again = bench.claimOne();
    Settled staleToo = completed(now);
    assertThat(
            bench.jobs.settle(List.of(staleToo, completed(again)), List.of(again.fencingToken())))
        .containsExactly(staleToo);
    assertThat(bench.count("ebb.history where attempt = 3")).isOne();
  }

  @Test
  void a_settle_that_is_sent_twice_takes_effect_once() throws SQLException {
    UUID id = bench.submitOne();
    bench.submitOne();
    Lease lease = bench.claim(2);
    Settled settled = failed(lease.jobs().getFirst());

    assertThat(bench.jobs.settle(List.of(settled), List.of())).isEmpty();
    assertThat(bench.jobs.settle(List.of(settled), List.of())).containsExactly(settled);

    assertThat(bench.reads.find(id).orElseThrow().attempt()).isOne();
    assertThat(bench.reads.attempts(id)).hasSize(1);
  }

  @Test
  void a_policy_of_a_newer_version_stops_neither_a_claim_nor_a_rescue() throws SQLException {
    UUID id = bench.submitOne();
    bench.execute("update ebb.job set policy = '{\"jitter\":\"quantum\",\"base\":\"PT1S\"}'");

    Claimed claimed = bench.claimOne();
    assertThat(claimed.job().policy()).isEqualTo(JobRow.DEFAULT_POLICY);
    bench.expireLeases();

    assertThat(bench.jobs.rescue(10, (c, lost, now) -> new Settlement.Release())).hasSize(1);
    assertThat(bench.reads.find(id).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
  }
}
