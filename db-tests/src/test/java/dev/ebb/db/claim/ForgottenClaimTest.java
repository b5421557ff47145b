package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims do not wait for the disk, so a server that crashes may forget the last of them. */
@Proof
class ForgottenClaimTest {
  private static final int MOST_CRASHES = 5;

  @Test
  void a_claim_that_a_crash_of_the_server_forgot_is_not_live_and_its_job_is_free_again()
      throws SQLException {
    try (TestPostgres postgres = TestPostgres.start()) {
      // As late as the server lets one say, so that the crash comes first.
      postgres.execute("alter system set wal_writer_delay = '10s'");
      DatabaseConfig config = postgres.newDatabase();
      ClaimedJob forgotten = forgottenClaim(postgres, config);
      try (Bench bench = new Bench(config)) {
        ClaimedJob again = bench.claimOne();

        assertThat(bench.complete(forgotten)).as("settled by the forgotten token").isFalse();
        assertThat(again.job().id()).isEqualTo(forgotten.job().id());
        assertThat(again.fencingToken()).isGreaterThan(forgotten.fencingToken());
        assertThat(bench.complete(again)).isTrue();
        assertThat(bench.count("ebb.history")).isEqualTo(1);
      }
    }
  }

  /** The server may write a claim down before the crash; then the job is given back. */
  private static ClaimedJob forgottenClaim(TestPostgres postgres, DatabaseConfig config)
      throws SQLException {
    for (int i = 0; i < MOST_CRASHES; i++) {
      postgres.stop();
      postgres.restart();
      ClaimedJob claimed;
      try (Bench bench = new Bench(config)) {
        bench.execute("delete from ebb.lease");
        if (bench.count("ebb.job") == 0) {
          bench.submitOne();
        }
        claimed = bench.claimOne();
      }
      postgres.stop();
      postgres.restart();
      try (Bench bench = new Bench(config)) {
        if (bench.count("ebb.lease") == 0) {
          return claimed;
        }
      }
    }
    throw new AssertionError("no crash forgot a claim");
  }

  @Test
  void a_crash_forgets_no_permit_that_is_paid_for_longer_than_it_takes() throws SQLException {
    RateLimit oneInAMinute = RateLimit.of(1.0 / 60, Duration.ZERO, 1);
    ClaimAnswer answer = claimAfterACrash(new QueueSettings(false, null, oneInAMinute, null));

    assertThat(answer.lease()).isEmpty();
    assertThat(answer.closedFor()).isGreaterThan(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_crash_forgets_no_claim_that_counts_as_running(boolean withRate) throws SQLException {
    RateLimit rate = withRate ? RateLimit.of(1_000, Duration.ZERO, 1) : null;
    ClaimAnswer answer = claimAfterACrash(new QueueSettings(false, null, rate, 1));

    assertThat(answer.lease()).isEmpty();
    assertThat(answer.full()).isTrue();
  }

  /** Claims one of two jobs, has the server crash at once, and claims again. */
  private static ClaimAnswer claimAfterACrash(QueueSettings limits) throws SQLException {
    try (TestPostgres postgres = TestPostgres.start()) {
      postgres.execute("alter system set wal_writer_delay = '10s'");
      DatabaseConfig config = postgres.newDatabase();
      postgres.stop();
      postgres.restart();
      try (Bench bench = new Bench(config)) {
        new Queues(bench.database).put(Bench.QUEUE, limits, true, Bench.ACT);
        bench.submitOne();
        bench.submitOne();
        assertThat(claimWithLimits(bench).lease()).isPresent();
      }
      postgres.stop();
      postgres.restart();
      try (Bench bench = new Bench(config)) {
        return claimWithLimits(bench);
      }
    }
  }

  private static ClaimAnswer claimWithLimits(Bench bench) throws SQLException {
    return new Claimer(bench.database)
        .claim(
            ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), 1, Duration.ofMinutes(5)),
            List.of());
  }

  @Test
  void no_token_is_given_again_when_the_servers_sequence_starts_again() throws SQLException {
    try (Bench bench = new Bench()) {
      Set<Long> tokens = new HashSet<>();
      int claims = 20;
      for (int i = 0; i < claims; i++) {
        bench.submitOne();
        bench.execute("alter sequence ebb.lease_number restart");
        Lease lease = bench.claim(1);
        tokens.add(lease.id());
        bench.completeAll(lease);
      }
      assertThat(tokens).hasSize(claims);
    }
  }

  @Test
  void control_a_token_that_is_a_number_alone_would_be_given_again_and_settle_a_stale_claim()
      throws SQLException {
    try (Bench bench = new Bench()) {
      bench.execute(
          "alter table ebb.lease alter column id set default nextval('ebb.lease_number')");
      bench.submitOne();
      ClaimedJob stale = bench.claimOne();
      bench.execute("delete from ebb.lease");
      bench.execute("alter sequence ebb.lease_number restart");
      Optional<Lease> next = bench.tryClaim(1);

      assertThat(next).map(Lease::id).hasValue(stale.fencingToken());
      assertThat(bench.complete(stale)).isTrue();
    }
  }
}
