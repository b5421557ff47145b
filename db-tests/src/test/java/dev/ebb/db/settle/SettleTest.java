package dev.ebb.db.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.view.AttemptView;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  private static FinishedAttempt settled(
      ClaimedJob claimed, Outcome outcome, Settlement settlement) {
    return new FinishedAttempt(
        claimed, outcome, settlement, "node", System.nanoTime(), Duration.ofMillis(1), null);
  }

  private static FinishedAttempt completed(ClaimedJob claimed) {
    return settled(claimed, Outcome.completed(), new Settlement.Complete());
  }

  private static FinishedAttempt failed(ClaimedJob claimed) {
    return settled(
        claimed,
        Outcome.failed("http_500", "no"),
        new Settlement.Retry(Duration.ZERO, Bench.failure("http_500")));
  }

  @Test
  void every_ended_lease_of_a_mixed_batch_is_gone() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    ClaimedJob first = bench.claimOne();
    ClaimedJob second = bench.claimOne();

    List<FinishedAttempt> refused =
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
    ClaimedJob old = bench.claimOne();
    bench.expireLeases();
    bench.rescueAll();
    ClaimedJob now = bench.claimOne();

    FinishedAttempt stale = failed(old);
    assertThat(bench.jobs.settle(List.of(stale, failed(now)), List.of(now.fencingToken())))
        .containsExactly(stale);

    assertThat(bench.attempts(id)).extracting(AttemptView::number).containsExactly(1, 2);
    ClaimedJob again = bench.claimOne();
    FinishedAttempt staleToo = completed(now);
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
    FinishedAttempt settled = failed(lease.jobs().getFirst());

    assertThat(bench.jobs.settle(List.of(settled), List.of())).isEmpty();
    assertThat(bench.jobs.settle(List.of(settled), List.of())).containsExactly(settled);

    assertThat(bench.reads.find(id).orElseThrow().attempt()).isOne();
    assertThat(bench.attempts(id)).hasSize(1);
  }

  @Test
  void a_policy_of_a_newer_version_stops_neither_a_claim_nor_a_rescue() throws SQLException {
    UUID id = bench.submitOne();
    bench.execute("update ebb.job set policy = '{\"jitter\":\"quantum\",\"base\":\"PT1S\"}'");

    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.job().policy()).isEqualTo(StoredSettings.DEFAULT_POLICY);
    bench.expireLeases();

    assertThat(bench.rescue(new Settlement.GiveBack())).hasSize(1);
    assertThat(bench.reads.find(id).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void a_job_that_somebody_has_locked_is_left_out_and_its_lease_stays() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    bench.submitOne();
    Lease two = bench.claim(2);
    ClaimedJob alone = bench.claimOne();
    ClaimedJob locked = two.jobs().getFirst();
    List<FinishedAttempt> batch =
        List.of(failed(locked), completed(two.jobs().getLast()), completed(alone));
    List<Long> ended = List.of(two.id(), alone.fencingToken());

    try (Connection stranger = TestPostgres.connect(bench.config)) {
      lock(stranger, "ebb.job", locked.job().id().toString());
      assertThatThrownBy(() -> bench.jobs.settle(batch, ended))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(SqlStates.isLocked(e)).isTrue());

      SettleResult written = bench.jobs.settleUnlocked(batch, ended);

      assertThat(written.locked()).containsExactly(batch.getFirst());
      assertThat(written.refused()).isEmpty();
      assertThat(bench.count("ebb.history")).isEqualTo(2);
      assertThat(bench.count("ebb.lease")).isEqualTo(1);
      stranger.rollback();
    }
    assertThat(bench.jobs.settle(batch.subList(0, 1), List.of(two.id()))).isEmpty();
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void a_rescue_leaves_out_a_job_that_somebody_has_locked_and_takes_the_others()
      throws SQLException {
    bench.submitOne();
    bench.submitOne();
    bench.submitOne();
    ClaimedJob locked = bench.claim(2).jobs().getFirst();
    bench.claimOne();
    bench.expireLeases();
    try (Connection stranger = TestPostgres.connect(bench.config)) {
      lock(stranger, "ebb.job", locked.job().id().toString());

      assertThat(bench.rescueAll()).isEqualTo(2);

      assertThat(bench.count("ebb.lease")).isEqualTo(1);
      assertThat(bench.tryClaim(10).orElseThrow().jobs()).hasSize(2);
      assertThat(bench.rescueAll()).as("put off").isZero();
      stranger.rollback();
    }
    bench.expireLeases();
    assertThat(bench.rescueAll()).isEqualTo(3);
  }

  @Test
  void a_lease_that_a_stranger_has_locked_costs_the_others_no_renewal() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    long locked = bench.claimOne().fencingToken();
    long free = bench.claimOne().fencingToken();
    bench.expireLeases();
    try (Connection stranger = TestPostgres.connect(bench.config)) {
      lock(stranger, "ebb.lease", Long.toString(locked));

      assertThat(bench.jobs.renew(List.of(locked, free), Bench.LEASE))
          .containsOnly(Map.entry(locked, false), Map.entry(free, true));

      stranger.rollback();
    }
    assertThat(bench.rescueAll()).isEqualTo(1);
  }

  private static void lock(Connection stranger, String table, String id) throws SQLException {
    stranger.setAutoCommit(false);
    try (Statement statement = stranger.createStatement()) {
      statement.execute("select from %s where id = '%s' for update".formatted(table, id));
    }
  }
}
