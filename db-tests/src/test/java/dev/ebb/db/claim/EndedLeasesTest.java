package dev.ebb.db.claim;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.OldSnapshot;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims beside leases that have ended, whose rows an old snapshot keeps, by counts of blocks. */
class EndedLeasesTest {
  private static final int ENDED = 30_000;
  private static final long IDS_A_SECOND = 1_000_000_000;

  private Bench bench;
  private final AtomicLong nanos = new AtomicLong();
  private Claimer claimer;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    bench.execute("alter table ebb.lease set (autovacuum_enabled = off)");
    claimer = new Claimer(bench.database, nanos::get);
    bench.jobs.submit(Collections.nCopies(1_000, NewJob.of("echo", "{}")));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Leases of one job each that ended, some seconds ago. */
  private void endLeases() throws SQLException {
    bench.execute(
        """
        insert into ebb.lease (
          id, queue, node, claimed_at, expires_at, length_micros, job_ids, versions,
          first_priority, last_priority, last_run_at)
        select
          (extract(epoch from now()) * 1000000)::bigint * 1000 - 30 * 1000000000::bigint + i,
          'default', 'other', now(), now(), 1, array[gen_random_uuid()], '{0}', 0, 9, 'infinity'
        from generate_series(1, %s) i
        """
            .formatted(ENDED));
    bench.execute("delete from ebb.lease where node = 'other'");
  }

  private Lease claim() throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), 1, Duration.ofHours(1));
    return claimer.claim(request, List.of()).lease().orElseThrow();
  }

  private long blocksPerClaim() throws SQLException {
    bench.resetBlocks();
    for (int i = 0; i < 10; i++) {
      claim();
    }
    return bench.blocks("%ebb.l%") / 10;
  }

  private void assertEndedLeasesCostNothing() throws SQLException {
    // Ten of a new session's plans, and its own leases.
    blocksPerClaim();
    long first = blocksPerClaim();
    try (Connection _ = OldSnapshot.of(bench.config)) {
      endLeases();
      assertThat(blocksPerClaim()).isLessThanOrEqualTo(2 * first);

      claimer = new Claimer(bench.database, nanos::get);
      bench.resetBlocks();
      claim();
      assertThat(bench.blocks("%ebb.l%")).as("control: reads all").isGreaterThan(4 * first);
    }
  }

  @Test
  void ended_leases_cost_a_claim_nothing_while_an_old_snapshot_keeps_them() throws SQLException {
    assertEndedLeasesCostNothing();
  }

  @Test
  void they_cost_a_claim_of_a_queue_with_maxConcurrency_nothing() throws SQLException {
    new Queues(bench.database)
        .put(Bench.QUEUE, new QueueSettings(false, null, null, 900), true, Bench.ACT);

    assertEndedLeasesCostNothing();
  }

  @Test
  void what_was_read_of_leases_holds_for_seconds_only() throws SQLException {
    blocksPerClaim();
    long first = blocksPerClaim();
    try (Connection _ = OldSnapshot.of(bench.config)) {
      endLeases();
      nanos.addAndGet(Duration.ofSeconds(6).toNanos());
      bench.resetBlocks();
      claim();

      assertThat(bench.blocks("%ebb.l%")).isGreaterThan(4 * first);
      assertThat(blocksPerClaim()).isLessThanOrEqualTo(2 * first);
    }
  }

  /** The ids that two claims took, the second of a node that read no lease below that one. */
  private Set<UUID> twoClaims(LeaseFloor floor) throws SQLException {
    Set<UUID> ids = new HashSet<>();
    ids.add(claim().jobs().getFirst().job().id());
    ClaimRequest request = ClaimRequest.of(Bench.QUEUE, "two", List.of("echo"), 1, Bench.LEASE);
    Look.Place place = new Look.Place(new ScanCursor(), floor, false);
    try (Connection connection = TestPostgres.connect(bench.config)) {
      Claim.Result result =
          requireNonNull(
              Claim.claim(connection, request, Map.of(Bench.QUEUE, place), Bench.PATIENT)
                  .get(Bench.QUEUE));
      Lease lease = requireNonNull(result.lease());
      ids.add(lease.jobs().getFirst().job().id());
    }
    return ids;
  }

  private static LeaseFloor above(Instant readAt) {
    return new LeaseFloor(Instant.now().plusSeconds(60).getEpochSecond() * IDS_A_SECOND, readAt, 0);
  }

  @Test
  void after_the_database_clock_was_set_back_nothing_is_claimed_twice() throws SQLException {
    assertThat(twoClaims(above(Instant.now().plusSeconds(60)))).hasSize(2);
  }

  @Test
  void control_a_claim_that_does_not_look_at_the_clock_takes_a_job_twice() throws SQLException {
    assertThat(twoClaims(above(Instant.now().minusSeconds(60)))).hasSize(1);
  }

  @Test
  void a_claim_reads_the_leases_of_the_last_seconds_though_it_saw_none() throws SQLException {
    Instant now = Instant.now();

    assertThat(floor(null, now)).isEqualTo((now.getEpochSecond() - 5) * IDS_A_SECOND);
    assertThat(floor(7_000_000_000L, now)).isEqualTo(2_000_000_000L);
    assertThat(twoClaims(LeaseFloor.of(null, now, 0))).hasSize(2);
  }

  private static long floor(@Nullable Long first, Instant now) {
    return LeaseFloor.of(first, now, 0).id();
  }

  @Test
  void a_look_does_not_read_the_leases_that_ended() throws SQLException {
    WorkFinder finder = new WorkFinder(bench.database);
    WorkFinder.Place place = WorkFinder.Place.BEGINNING;
    for (int i = 0; i < 20; i++) {
      place = finder.find(List.of("echo"), null, place, 10, Bench.LEASE).next();
    }
    bench.resetBlocks();
    place = finder.find(List.of("echo"), null, place, 10, Bench.LEASE).next();
    long first = bench.blocks("%with recursive asked%");
    try (Connection _ = OldSnapshot.of(bench.config)) {
      endLeases();
      bench.resetBlocks();
      place = finder.find(List.of("echo"), null, place, 10, Bench.LEASE).next();
      assertThat(bench.blocks("%with recursive asked%")).isLessThanOrEqualTo(2 * first);

      bench.resetBlocks();
      finder.find(List.of("echo"), null, WorkFinder.Place.BEGINNING, 10, Bench.LEASE);
      assertThat(bench.blocks("%with recursive asked%"))
          .as("control: reads all")
          .isGreaterThan(4 * first);
    }
  }
}
