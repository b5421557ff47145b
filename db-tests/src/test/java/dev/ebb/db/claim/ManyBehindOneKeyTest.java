package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims from a queue in which more due jobs than a scan looks at have the same ordering key. */
class ManyBehindOneKeyTest {
  private static final int OTHERS = 3 * Due.STRETCH / 2;

  /** A look at each of them would hit one for its row alone. */
  private static final int MOST_BLOCKS = OTHERS / 50;

  private static final int MOST_CLAIMS = 2 * OTHERS / Turn.MOST_BLOCKED;

  private static final String PARKED =
      "ebb.job where ebb.is_held(blocked_version, version, held_until)";

  private Bench bench;
  private final AtomicLong nanos = new AtomicLong();
  private final List<Long> leases = new ArrayList<>();
  private Claimer claimer;

  @BeforeEach
  void fill() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    claimer = new Claimer(bench.database, nanos::get);
    bench.execute(
        """
        insert into ebb.job (
          queue, kind, priority, run_at, max_attempts, payload, ordering_key, ordering_number)
        select
          'default', 'echo', 5, now() - interval '1 hour' + i * interval '1 ms', 16, '{}', 'many',
          nextval('ebb.ordering_number')
        from generate_series(1, %s) i
        """
            .formatted(OTHERS));
    bench.execute("vacuum analyze ebb.job");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private ClaimAnswer claim() throws SQLException {
    ClaimRequest request =
        ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), 10, Duration.ofHours(1));
    ClaimAnswer answer = claimer.claim(request, leases);
    answer.lease().ifPresent(lease -> leases.add(lease.id()));
    return answer;
  }

  /** Claims for as long as a node would, full scans among them; answers what was claimed. */
  private List<ClaimedJob> claimAll() throws SQLException {
    List<ClaimedJob> claimed = new ArrayList<>();
    ClaimAnswer answer = claim();
    for (int i = 0; ; i++) {
      answer.lease().ifPresent(lease -> claimed.addAll(lease.jobs()));
      if (!answer.mayHaveMore()) {
        return claimed;
      }
      assertThat(i).isLessThan(MOST_CLAIMS);
      nanos.addAndGet(Duration.ofMillis(30).toNanos());
      answer = claim();
    }
  }

  /** Claims until full scans have parked all of them. */
  private void parkAll() throws SQLException {
    for (int i = 0; bench.count(PARKED) < OTHERS - 1; i++) {
      assertThat(i).isLessThan(MOST_CLAIMS);
      nanos.addAndGet(Duration.ofSeconds(3).toNanos());
      assertThat(claimAll()).isEmpty();
    }
  }

  private UUID submit(String key) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").orderingKey(key).build());
  }

  @Test
  void claims_take_them_out_of_their_way_and_each_has_its_turn() throws SQLException {
    UUID other = submit("other");

    List<ClaimedJob> claimed = claimAll();

    assertThat(claimed).hasSize(2).anyMatch(one -> one.job().id().equals(other));
    parkAll();
    assertThat(bench.queuesWithWork("echo", null)).isEmpty();
    ClaimedJob head = claimed.getFirst();
    for (int i = 0; i < 3; i++) {
      bench.complete(head);
      head = claimAll().getFirst();
    }
  }

  @Test
  void then_a_job_of_another_key_is_claimed_as_if_they_were_not_there() throws SQLException {
    ClaimedJob head = claimAll().getFirst();
    parkAll();
    UUID other = submit("other");
    bench.resetBlocks();

    assertThat(claim().lease().orElseThrow().jobs())
        .extracting(one -> one.job().id())
        .containsExactly(other);
    assertThat(bench.blocks("%ebb.l%")).isLessThan(MOST_BLOCKS);
    bench.resetBlocks();
    bench.complete(head);

    assertThat(claim().lease()).isPresent();
    assertThat(bench.blocks("%ebb.%")).isLessThan(2 * MOST_BLOCKS);
  }
}
