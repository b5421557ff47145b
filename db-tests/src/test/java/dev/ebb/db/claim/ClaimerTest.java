package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.OldSnapshot;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that go on where the one before came to, by PostgreSQL's own counts of blocks. */
class ClaimerTest {
  private static final String SOME_FREE =
      """
      select id
      from ebb.job
      where id not in (select unnest(job_ids) from ebb.lease)
      order by run_at desc, id desc
      limit 10000
      """;

  private static final String SOME_NEW =
      """
      insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
      select 'default', 'echo', 4 + random() * 2,
        date_trunc('second', now()) - floor(random() * 60) * interval '1 second', 16, '{}'
      from generate_series(1, 3)
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration ONE_DAY = Duration.ofDays(1);

  private Bench bench;
  private Claimer claimer;
  private final List<Long> held = new ArrayList<>();

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    claimer = new Claimer(bench.database);
    for (int i = 0; i < 20; i++) {
      claim(1);
    }
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Optional<Lease> claim(int most) throws SQLException {
    return claim(most, List.copyOf(held));
  }

  private Optional<Lease> claim(int most, List<Long> known) throws SQLException {
    ClaimAnswer answer = answer(most, known);
    while (answer.lease().isEmpty() && answer.mayHaveMore()) {
      answer = answer(most, known);
    }
    answer.lease().ifPresent(taken -> held.add(taken.id()));
    return answer.lease();
  }

  private ClaimAnswer answer(int most, List<Long> known) throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), most, Duration.ofHours(1));
    return claimer.claim(request, known);
  }

  private void fill(int jobs) throws SQLException {
    for (int i = 0; i < jobs; i += 1000) {
      bench.jobs.submit(Collections.nCopies(1000, NewJob.of("echo", "{}")));
    }
    bench.execute("update ebb.job set run_at = run_at - interval '1 hour'");
    bench.execute("vacuum (index_cleanup on) ebb.job");
  }

  /** Claims by a clock that stands still, by which no full scan is due but the first. */
  private void stopTheClock() {
    claimer = new Claimer(bench.database, () -> 0);
  }

  /** The fewest blocks that one of the next nine claims touches: the first is a full scan. */
  private long blocksPerClaim() throws SQLException {
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < 9; i++) {
      long before = blocks();
      assertThat(claim(100).orElseThrow().jobs()).hasSize(100);
      fewest = Math.min(fewest, blocks() - before);
    }
    return fewest;
  }

  /** An older server begins a scan for each priority. */
  private static long atMost(long first) {
    return TestPostgres.isNewest() ? first * 3 / 2 : 2 * first;
  }

  private long blocks() throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select coalesce(sum(shared_blks_hit + shared_blks_read), 0)
                from pg_stat_statements s
                join pg_database d on d.oid = s.dbid
                where d.datname = current_database()
                  and s.query like '%ebb.l%'
                  and s.query not like '%pg_stat_statements%'
                """)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void completeAll(int jobs) throws SQLException {
    for (int done = 0; done < jobs; ) {
      Lease lease = claim(500).orElseThrow();
      for (ClaimedJob claimed : lease.jobs()) {
        assertThat(claimed.job().attempt()).isEqualTo(1);
      }
      bench.completeAll(lease);
      held.remove(lease.id());
      done += lease.jobs().size();
    }
  }

  @Test
  void claims_stay_flat_while_another_session_holds_an_old_snapshot() throws SQLException {
    stopTheClock();
    fill(25_000);
    try (Connection _ = OldSnapshot.of(bench.config)) {
      long first = blocksPerClaim();

      completeAll(20_000);

      assertThat(blocksPerClaim()).isLessThanOrEqualTo(2 * first);
      long before = blocks();
      bench.claim(100);
      assertThat(blocks() - before).as("control: from the beginning").isGreaterThan(5 * first);
    }
  }

  @Test
  void claims_stay_flat_while_ten_thousand_jobs_of_the_node_itself_are_in_flight()
      throws SQLException {
    stopTheClock();
    fill(15_000);
    long first = blocksPerClaim();

    for (int i = 0; i < 20; i++) {
      assertThat(claim(500).orElseThrow().jobs()).hasSize(500);
    }

    assertThat(blocksPerClaim()).isLessThanOrEqualTo(atMost(first));
    long before = blocks();
    bench.claim(100);
    assertThat(blocks() - before).as("control: from the beginning").isGreaterThan(3 * first);
  }

  @Test
  void claims_stay_flat_while_ten_thousand_jobs_are_in_flight_in_another_queue()
      throws SQLException {
    stopTheClock();
    fill(13_000);
    long first = blocksPerClaim();
    bench.execute("update ebb.job set queue = 'slow' where id in (" + SOME_FREE + ")");
    JobQueue slowNode = new JobQueue(bench.database);
    for (int i = 0; i < 20; i++) {
      ClaimRequest slow =
          ClaimRequest.of("slow", "other", List.of("echo"), 500, Duration.ofHours(1));
      assertThat(slowNode.claim(slow).orElseThrow().jobs()).hasSize(500);
    }

    assertThat(blocksPerClaim()).isLessThanOrEqualTo(2 * first);
  }

  @Test
  void claims_stay_flat_while_ten_thousand_jobs_of_another_node_are_in_flight_in_the_same_queue()
      throws SQLException {
    stopTheClock();
    fill(15_000);
    long first = blocksPerClaim();
    for (int i = 0; i < 20; i++) {
      assertThat(bench.claimAs("other", 500, Duration.ofHours(1))).isPresent();
    }
    claim(100);

    assertThat(blocksPerClaim()).isLessThanOrEqualTo(atMost(first));
    long before = blocks();
    bench.claim(100);
    assertThat(blocks() - before).as("control: from the beginning").isGreaterThan(3 * first);
  }

  /**
   * Two nodes' claims of many sizes, of jobs of three priorities, many due at the same instant, and
   * new ones of any priority between the claims; answers how many jobs the first pair of claims
   * that took some twice did take twice.
   */
  private long doubleClaims(String meanwhile) throws SQLException {
    fill(4000);
    bench.execute(
        """
        update ebb.job
        set priority = 4 + random() * 2,
          run_at = date_trunc('second', now()) - floor(random() * 60) * interval '1 second'
        """);
    Set<UUID> taken = new HashSet<>();
    long doubles = 0;
    for (int size = 61; taken.size() < 3500 && doubles == 0; size = size % 97 + 1) {
      List<UUID> mine = ids(claim(size).orElseThrow());
      List<UUID> theirs = ids(bench.claimAs("other", 98 - size, Duration.ofHours(1)).orElseThrow());
      bench.execute(meanwhile);
      bench.execute(SOME_NEW);
      doubles = Stream.of(mine, theirs).flatMap(List::stream).filter(id -> !taken.add(id)).count();
    }
    return doubles;
  }

  @Test
  void no_job_that_another_node_holds_behind_the_position_is_claimed() throws SQLException {
    assertThat(doubleClaims("select 1")).isZero();
  }

  @Test
  void control_without_how_far_a_lease_reaches_jobs_behind_the_position_are_claimed_twice()
      throws SQLException {
    assertThat(doubleClaims("update ebb.lease set last_run_at = '-infinity'")).isPositive();
  }

  @Test
  void a_job_that_turns_up_before_the_cursor_is_found_by_a_full_scan() throws SQLException {
    fill(1000);
    assertThat(claim(500)).isPresent();
    assertThat(claim(500)).isPresent();

    UUID late =
        bench.submit(NewJob.builder("echo", "{}").runAt(Instant.now().minus(ONE_DAY)).build());

    assertThat(claimUntilFound().job().id()).isEqualTo(late);
  }

  @Test
  void many_jobs_that_turn_up_before_the_cursor_are_claimed_without_a_pause() throws SQLException {
    fill(1000);
    assertThat(claim(500)).isPresent();
    assertThat(claim(500)).isPresent();
    NewJob late = NewJob.builder("echo", "{}").runAt(Instant.now().minus(ONE_DAY)).build();
    for (int i = 0; i < 5; i++) {
      bench.jobs.submit(Collections.nCopies(1000, late));
    }

    Set<UUID> claimed = new HashSet<>();
    claimed.add(claimUntilFound().job().id());
    for (int i = 0; i < 9; i++) {
      claim(500).orElseThrow().jobs().forEach(job -> claimed.add(job.job().id()));
    }

    assertThat(claimed).hasSize(1 + 9 * 500);
  }

  @Test
  void a_job_that_was_given_back_is_found_by_a_full_scan() throws SQLException {
    fill(1000);
    ClaimedJob given = claim(500).orElseThrow().jobs().get(7);
    assertThat(claim(500)).isPresent();
    assertThat(bench.settle(given, new Outcome.GivenBack(), new Settlement.GiveBack(), List.of()))
        .isTrue();

    assertThat(claimUntilFound().job().id()).isEqualTo(given.job().id());
  }

  @Test
  void a_claim_that_cannot_see_a_job_tells_when_one_will() throws SQLException {
    AtomicLong nanos = new AtomicLong();
    claimer = new Claimer(bench.database, nanos::get);
    fill(1000);
    assertThat(answer().scanIn()).as("it looked at all").isZero();
    answer();
    bench.submit(NewJob.builder("echo", "{}").runAt(Instant.now().minus(ONE_DAY)).build());

    ClaimAnswer unseen = answer();
    assertThat(unseen.lease()).isEmpty();
    nanos.addAndGet(unseen.scanIn().toNanos());

    ClaimAnswer seen = answer();
    assertThat(seen.lease()).isPresent();
    assertThat(seen.scanIn()).isZero();
  }

  private ClaimAnswer answer() throws SQLException {
    ClaimAnswer answer = answer(500, List.copyOf(held));
    answer.lease().ifPresent(taken -> held.add(taken.id()));
    return answer;
  }

  private ClaimedJob claimUntilFound() throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - deadline < 0) {
      Optional<Lease> lease = claim(1);
      if (lease.isPresent()) {
        return lease.get().jobs().getFirst();
      }
    }
    throw new AssertionError("not found within " + PATIENCE);
  }

  @Test
  void what_a_claim_took_whose_answer_got_lost_is_not_claimed_twice() throws SQLException {
    fill(3000);
    Lease known = claim(100).orElseThrow();
    Lease lost = bench.claimAs("node", 100, Duration.ofHours(1)).orElseThrow();

    Lease next = claim(100, List.of(known.id())).orElseThrow();

    assertThat(ids(next)).hasSize(100).doesNotContainAnyElementsOf(ids(lost));
    assertThat(ids(next)).doesNotContainAnyElementsOf(ids(known));
  }

  private static List<UUID> ids(Lease lease) {
    return lease.jobs().stream().map(claimed -> claimed.job().id()).toList();
  }
}
