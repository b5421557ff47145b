package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a claim reads, by PostgreSQL's own counters, with the plans that a worker's session caches.
 */
@Proof
class ClaimPlanTest {
  private static final int BATCH = 100;
  private static final int MOST_BUFFERS_PER_JOB = 2;

  private Bench bench;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    connection = TestPostgres.connect(bench.config);
    claimOften();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    bench.close();
  }

  /** Long enough for the driver to prepare it, and for the server to settle for a generic plan. */
  private void claimOften() throws SQLException {
    for (int i = 0; i < 20; i++) {
      claim();
    }
  }

  private int claim() throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), BATCH, Duration.ofHours(1));
    return Claim.claim(connection, request, Map.of(), Bench.PATIENT)
        .values()
        .iterator()
        .next()
        .size();
  }

  private void fill(int jobs, String runAt, int priority) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
            select 'default', 'echo', ?, now() + ?::interval, 16, repeat('x', 200)
            from generate_series(1, ?)
            """)) {
      statement.setInt(1, priority);
      statement.setString(2, runAt);
      statement.setInt(3, jobs);
      connection.setAutoCommit(true);
      statement.executeUpdate();
    }
  }

  private void endLeases() throws SQLException {
    bench.execute("delete from ebb.job where id in (select unnest(job_ids) from ebb.lease)");
    bench.execute("truncate ebb.lease");
  }

  /** Blocks that this database's claims touched so far, of whatever table. */
  private long blocks() throws SQLException {
    return bench.blocks("%ebb.l%");
  }

  private long sequentialScans() throws SQLException {
    return number("select seq_scan from pg_stat_user_tables where relname = 'job'");
  }

  private long number(String sql) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_stat_force_next_flush()");
      try (ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Entries of the claim index that were read; a bitmap scan reads those of every due job. */
  private long indexEntries() throws SQLException {
    return number("select idx_tup_read from pg_stat_user_indexes where indexrelname = 'job_claim'");
  }

  private void assertClaimsAreCheap() throws SQLException {
    long scansBefore = sequentialScans();
    long entriesBefore = indexEntries();
    long blocksBefore = blocks();
    for (int i = 0; i < 10; i++) {
      assertThat(claim()).isEqualTo(BATCH);
    }
    double perJob = (blocks() - blocksBefore) / (10.0 * BATCH);
    assertThat(sequentialScans()).isEqualTo(scansBefore);
    assertThat(perJob).isPositive().isLessThan(MOST_BUFFERS_PER_JOB);
    // Of the jobs that it does not take, a claim only reads those that are claimed already.
    int inFlight = Math.toIntExact(bench.count("ebb.lease")) * BATCH;
    assertThat(indexEntries() - entriesBefore).isLessThanOrEqualTo(10L * (inFlight + BATCH));
  }

  @Test
  void a_claim_on_an_empty_table_reads_only_the_head_of_the_claim_index() throws SQLException {
    long scansBefore = sequentialScans();
    long blocksBefore = blocks();

    assertThat(claim()).isZero();

    assertThat(sequentialScans()).isEqualTo(scansBefore);
    // The claim index once per priority, the leases of the queue, and the queue's settings.
    assertThat(blocks() - blocksBefore).isPositive().isLessThanOrEqualTo(24);
  }

  @Test
  void a_claim_on_a_just_loaded_table_without_statistics_is_cheap() throws SQLException {
    fill(20_000, "-1 hour", 5);

    assertClaimsAreCheap();
  }

  @Test
  void a_claim_among_a_million_jobs_is_cheap() throws SQLException {
    fill(1_000_000, "-1 hour", 5);
    assertClaimsAreCheap();

    endLeases();
    bench.execute("analyze ebb.job");
    claimOften();
    endLeases();
    assertClaimsAreCheap();
  }

  @Test
  void a_million_parked_jobs_cost_a_claim_no_more_than_a_fifth() throws SQLException {
    fill(40_000, "-1 hour", 5);
    double alone = blocksPerClaim();
    long aloneNanos = medianNanos();

    fill(1_000_000, "1 day", 5);
    fill(100_000, "1 day", 0);
    bench.execute("analyze ebb.job");

    assertThat(blocksPerClaim()).isLessThan(alone * 1.2);
    System.out.printf(
        "claim of %s: %.2f ms alone, %.2f ms beside 1,100,000 parked jobs%n",
        BATCH, aloneNanos / 1e6, medianNanos() / 1e6);
  }

  private double blocksPerClaim() throws SQLException {
    endLeases();
    bench.execute("vacuum (index_cleanup on) ebb.job");
    long before = blocks();
    for (int i = 0; i < 10; i++) {
      assertThat(claim()).isEqualTo(BATCH);
    }
    return (blocks() - before) / 10.0;
  }

  private long medianNanos() throws SQLException {
    bench.execute("vacuum (index_cleanup on) ebb.job");
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      endLeases();
      long start = System.nanoTime();
      assertThat(claim()).isEqualTo(BATCH);
      nanos.add(System.nanoTime() - start);
    }
    Collections.sort(nanos);
    return nanos.get(nanos.size() / 2);
  }
}
