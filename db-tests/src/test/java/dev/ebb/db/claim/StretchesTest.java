package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims from a queue that is full of due jobs of a kind that the node does not serve. */
class StretchesTest {
  private static final int OTHERS = 5 * Due.STRETCH / 2;

  /** When the others became due, but for an hour. */
  private static Instant filled = Instant.MIN;

  private Bench bench;
  private final AtomicLong nanos = new AtomicLong();
  private Claimer claimer;

  @BeforeEach
  void open() {
    DatabaseConfig full = TestPostgres.shared().newDatabase("strange", StretchesTest::fill);
    bench = new Bench(full.withStatementTimeout(Duration.ofSeconds(30)));
    claimer = new Claimer(bench.database, nanos::get);
  }

  private static void fill(DatabaseConfig config) throws SQLException {
    try (Bench empty = new Bench(config)) {
      empty.countBlocks();
      filled = Instant.now();
      empty.execute(
          """
          insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
          select 'default', 'strange', 5, now() - interval '1 hour' + i * interval '1 ms', 16, '{}'
          from generate_series(1, %s) i
          """
              .formatted(OTHERS));
      empty.execute("vacuum analyze ebb.job");
    }
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private ClaimAnswer claim() throws SQLException {
    return claim(10);
  }

  private ClaimAnswer claim(int most) throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), most, Duration.ofHours(1));
    return claimer.claim(request, List.of());
  }

  private static List<UUID> ids(ClaimAnswer answer) {
    return answer.lease().stream()
        .flatMap(lease -> lease.jobs().stream())
        .map(job -> job.job().id())
        .toList();
  }

  /** Claims for as long as a node would at once, where each claim takes that long. */
  private List<UUID> claimAll(Duration each) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    ClaimAnswer answer = claim();
    ids.addAll(ids(answer));
    for (int i = 0; answer.mayHaveMore(); i++) {
      assertThat(i).isLessThan(50);
      nanos.addAndGet(each.toNanos());
      answer = claim();
      ids.addAll(ids(answer));
    }
    return ids;
  }

  private List<UUID> claimAll() throws SQLException {
    return claimAll(Duration.ZERO);
  }

  @Test
  void a_job_behind_all_of_them_is_reached_without_a_pause() throws SQLException {
    UUID own = bench.submitOne();

    ClaimAnswer first = claim();

    assertThat(first.lease()).isEmpty();
    assertThat(first.mayHaveMore()).isTrue();
    assertThat(claimAll()).containsExactly(own);
  }

  @Test
  void it_is_reached_although_full_scans_are_due_on_the_way() throws SQLException {
    UUID own = bench.submitOne();

    assertThat(claimAll(Duration.ofMillis(80))).containsExactly(own);
  }

  @Test
  void each_next_one_is_claimed_when_it_is_told_of_whether_a_scan_is_due_or_not()
      throws SQLException {
    goBehindThem();
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(Duration.ofMillis(150).toNanos());
      UUID next = bench.submitOne();

      assertThat(claimAll()).contains(next);
    }
  }

  @Test
  void the_next_ones_cost_no_more_than_if_the_others_were_not_there() throws SQLException {
    bench.submitOne();
    assertThat(claimAll()).hasSize(1);
    UUID next = bench.submitOne();
    bench.resetBlocks();

    assertThat(ids(claim())).containsExactly(next);
    assertThat(bench.blocks("%ebb.l%")).isLessThan(100);
  }

  @Test
  void a_claim_by_hand_finds_what_lies_behind_them() throws SQLException {
    UUID own = bench.submitOne();

    assertThat(bench.claimOne().job().id()).isEqualTo(own);
  }

  @Test
  void if_there_are_no_others_the_claims_come_to_an_end() throws SQLException {
    assertThat(claimAll()).isEmpty();
    assertThat(claim().mayHaveMore()).isFalse();
  }

  /** How many pauses of full scans went by until a claim found something. */
  private int scansUntilFound(UUID id) throws SQLException {
    for (int scans = 1; scans <= 20; scans++) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      if (claimAll().contains(id)) {
        return scans;
      }
    }
    throw new AssertionError("not found");
  }

  private UUID submitAt(Duration ago) throws SQLException {
    return submitAt(Instant.now().minus(ago));
  }

  private UUID submitAt(Instant due) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").runAt(due).build());
  }

  private UUID submitAmongThem() throws SQLException {
    return submitAt(filled.minus(Duration.ofHours(1)).plusMillis(2 * Due.STRETCH));
  }

  private void goBehindThem() throws SQLException {
    bench.submitOne();
    assertThat(claimAll()).hasSize(1);
  }

  @Test
  void a_job_that_turns_up_among_them_is_found_by_the_stretches_of_a_full_scan()
      throws SQLException {
    goBehindThem();
    UUID late = submitAmongThem();

    // Stretches of a third, once the priorities go apart, in turns with the last two seconds.
    assertThat(scansUntilFound(late)).isBetween(4, 10);
    UUID again = submitAmongThem();
    assertThat(scansUntilFound(again)).isLessThanOrEqualTo(16);
  }

  @Test
  void it_is_found_beside_steady_work_of_another_priority() throws SQLException {
    goBehindThem();
    UUID late = submitAmongThem();
    List<UUID> found = new ArrayList<>();
    for (int i = 0; i < 20 && !found.contains(late); i++) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      bench.submit(NewJob.builder("echo", "{}").priority(i % 2 == 0 ? 0 : 9).build());
      found.addAll(claimAll());
    }

    assertThat(found).contains(late);
  }

  @Test
  void it_is_found_although_each_other_claim_is_full_of_more_urgent_work() throws SQLException {
    goBehindThem();
    UUID late = submitAmongThem();
    List<UUID> found = new ArrayList<>();
    for (int i = 0; i < 60 && !found.contains(late); i++) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      if (i % 4 == 0) {
        bench.submit(NewJob.builder("echo", "{}").priority(0).build());
      }
      found.addAll(ids(claim(1)));
    }

    assertThat(found).contains(late);
  }

  @Test
  void it_is_found_behind_ends_of_other_priorities_by_claims_of_one_job() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select queue, kind, 0, run_at, max_attempts, payload from ebb.job
        """);
    goBehindThem();
    NewJob.Builder least = NewJob.builder("echo", "{}").priority(9);
    bench.submit(least.build());
    assertThat(claimAll()).hasSize(1);
    UUID late = bench.submit(least.runAt(Instant.now().minus(Duration.ofHours(1))).build());
    List<UUID> found = new ArrayList<>();
    for (int i = 0; i < 4 && !found.contains(late); i++) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      found.addAll(ids(claim(1)));
    }

    assertThat(found).contains(late);
  }

  @Test
  void many_that_commit_late_wait_for_one_scan_only() throws SQLException {
    goBehindThem();
    for (int i = 0; i < 45; i++) {
      submitAt(Duration.ofMillis(1500));
    }
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      found.add(claimAll().size());
    }

    assertThat(found).contains(45);
  }

  @Test
  void one_that_commits_late_is_found_by_the_second_scan_at_the_latest() throws SQLException {
    goBehindThem();
    for (int i = 0; i < 4; i++) {
      UUID late = submitAt(Duration.ofMillis(500));

      assertThat(scansUntilFound(late)).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void jobs_of_other_priorities_are_claimed_beside_them() throws SQLException {
    goBehindThem();
    UUID urgent = bench.submit(NewJob.builder("echo", "{}").priority(0).build());
    UUID idle = bench.submit(NewJob.builder("echo", "{}").priority(9).build());

    assertThat(ids(claim())).containsExactly(urgent, idle);
  }
}
