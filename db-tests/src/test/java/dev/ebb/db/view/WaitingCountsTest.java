package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.JobCount;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.OrderedJobs;
import dev.ebb.db.action.ActionResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts of waiting jobs, in a store of more jobs than a count looks at one by one. */
class WaitingCountsTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void park(int many, String queue, String due, int attempt) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now() + interval '%s', %s, 9, i %% 10, '%s', 'echo', '{}'
        from generate_series(1, %s) i
        """
            .formatted(due, attempt, queue, many));
  }

  @Test
  void a_job_that_waits_for_its_ordering_key_is_blocked_and_not_held() throws SQLException {
    bench.changes.act(bench.submitOne(), new JobAction.Hold(null), Bench.ACT);
    UUID last = OrderedJobs.block(bench.database, "b", "order-7", 4).getLast();

    assertThat(exact("state:blocked")).isEqualTo(Map.of("blocked", 3L));
    assertThat(exact("state:held")).isEqualTo(Map.of("held", 1L));
    assertThat(exact("state:available"))
        .isEqualTo(Map.of("blocked", 3L, "held", 1L, "retrying", 1L));
    park(JobCounts.SAMPLED_BLOCKS * 40, "c", "-1 minute", 0);
    assertThat(exact("state:blocked,held")).isEqualTo(Map.of("blocked", 3L, "held", 1L));
    assertThat(bench.reads.list(filter("state:blocked ordering:order-7"), null, 1).jobs())
        .extracting(JobView::id)
        .containsExactly(last);

    assertThat(bench.changes.act(last, new JobAction.Release(), Bench.ACT))
        .isEqualTo(ActionResult.WRONG_STATE);
    bench.changes.act(last, new JobAction.Hold(null), Bench.ACT);
    assertThat(exact("state:held")).isEqualTo(Map.of("held", 2L));
  }

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private JobCount count(String query) throws SQLException {
    return bench.reads.count(filter(query));
  }

  private Map<String, Long> exact(String query) throws SQLException {
    JobCount count = count(query);
    assertThat(count.exact() && count.statesExact()).as(query).isTrue();
    return count.byState();
  }

  @Test
  void what_waits_for_later_is_counted_exactly_beside_however_many_due_jobs() throws SQLException {
    bench.changes.act(bench.submitOne(), new JobAction.Hold(null), Bench.ACT);
    Instant later = Instant.now().plus(Duration.ofHours(1));
    bench.changes.act(bench.submitOne(), new JobAction.Hold(later), Bench.ACT);
    park(3, "a", "10 minutes", 0);
    park(4, "b", "3 days", 2);
    park(WaitingCounts.BUDGET + 1, "b", "-1 minute", 0);

    assertThat(exact("state:held")).isEqualTo(Map.of("held", 2L));
    assertThat(exact("state:scheduled,retrying,held"))
        .isEqualTo(Map.of("held", 2L, "scheduled", 3L, "retrying", 4L));
    assertThat(exact("state:retrying queue:a")).isEmpty();
    assertThat(exact("state:scheduled,retrying queue:a,b"))
        .isEqualTo(Map.of("scheduled", 3L, "retrying", 4L));
    assertThat(count("state:due").exact()).isFalse();
    assertThat(count("state:held kind:echo").exact()).isFalse();
  }

  @Test
  void what_is_due_is_counted_exactly_beside_however_many_later_ones() throws SQLException {
    park(2, Bench.QUEUE, "-1 minute", 0);
    bench.claim(2);
    park(5, "a", "-1 minute", 3);
    park(6, Bench.QUEUE, "-1 minute", 0);
    park(WaitingCounts.BUDGET + 1, "b", "1 day", 0);

    assertThat(exact("state:due")).as("without those that run").isEqualTo(Map.of("due", 11L));
    assertThat(exact("state:due queue:a,none")).isEqualTo(Map.of("due", 5L));
    assertThat(count("state:scheduled").exact()).isFalse();
  }
}
