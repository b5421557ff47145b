package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.JobCount;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.NewestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs are found by when they are due, however many are due at other times. */
class DueTest {
  private Bench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private JobPage page(String query, @Nullable UUID after, JobOrder order) throws SQLException {
    return bench.reads.list(filter(query), new JobPage.PageRequest(order, false, after, 2));
  }

  private List<UUID> find(String query, JobOrder order) throws SQLException {
    List<UUID> found = new ArrayList<>();
    JobPage page = page(query, null, order);
    page.jobs().forEach(job -> found.add(job.id()));
    while (page.next() != null) {
      page = page(query, page.next(), order);
      page.jobs().forEach(job -> found.add(job.id()));
    }
    return found;
  }

  private UUID submit(String queue, int priority, int minutes) throws SQLException {
    return bench.submit(
        NewJob.builder("echo", "1")
            .queue(queue)
            .priority(priority)
            .delay(Duration.ofMinutes(minutes))
            .build());
  }

  /** So many newer jobs are due then, in a few queues and at each priority. */
  private void park(int jobs, String delay) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '%s', 3, i %% 10, 'parked' || i %% 7, 'echo', '1'
        from generate_series(1, %s) i
        """
            .formatted(delay, jobs));
  }

  @Test
  void a_time_in_which_jobs_are_due_is_where_a_search_starts() throws SQLException {
    UUID first = submit("one", 0, 20);
    UUID second = submit("other", 9, 25);
    UUID third = submit("one", 5, 30);
    submit("one", 5, 50);
    park(12_000, "2 hours");

    JobPage page = page("due>15m due<40m", null, JobOrder.NEWEST);
    assertThat(page.jobs()).extracting(JobView::id).containsExactly(third, second);
    assertThat(page.looked().jobs()).isEqualTo(3);
    assertThat(find("due>15m due<40m", JobOrder.NEWEST)).containsExactly(third, second, first);
    assertThat(find("due>15m due<40m", JobOrder.OLDEST)).containsExactly(first, second, third);
    assertThat(find("due<40m queue:one", JobOrder.NEWEST)).containsExactly(third, first);
    assertThat(find("due<40m -queue:one", JobOrder.NEWEST)).containsExactly(second);
    assertThat(bench.reads.count(filter("due<40m")))
        .returns(3L, JobCount::count)
        .returns(true, JobCount::exact);
  }

  @Test
  void a_time_in_which_too_many_are_due_lets_a_search_look_at_the_newest() throws SQLException {
    park(DueChoice.MANY + 1, "1 minute");

    JobPage page = page("due<2m", null, JobOrder.NEWEST);

    assertThat(page.jobs()).hasSize(2);
    assertThat(page.looked().jobs()).isEqualTo(5_000);
    assertThat(page("due>2h", null, JobOrder.NEWEST).looked().jobs()).isZero();
  }

  @Test
  void jobs_of_more_queues_than_are_stepped_through_are_found_by_looking() throws SQLException {
    UUID soon = submit("soon", 5, 20);
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '2 hours', 3, 5, 'a' || i, 'echo', '1'
        from generate_series(1, %s) i
        """
            .formatted(QueueSteps.MOST));

    assertThat(find("due<40m", JobOrder.NEWEST)).containsExactly(soon);
    assertThat(page("due<40m queue:soon", null, JobOrder.NEWEST).looked().jobs()).isOne();
  }

  @NewestServer
  @Test
  void a_search_by_when_jobs_are_due_reads_no_more_where_more_are_due_at_other_times()
      throws SQLException {
    submit("one", 5, 20);
    park(3_000, "2 hours");
    bench.execute("vacuum analyze ebb.job");
    bench.countBlocks();
    assertThat(find("due<40m", JobOrder.NEWEST)).hasSize(1);
    long few = blocks();
    park(60_000, "3 hours");
    bench.execute("vacuum analyze ebb.job");
    bench.resetBlocks();
    assertThat(find("due<40m", JobOrder.NEWEST)).hasSize(1);

    assertThat(blocks()).isLessThan(2 * few + 200);
  }

  private long blocks() throws SQLException {
    return bench.blocks("%with recursive step%") + bench.blocks("%picked as materialized%");
  }
}
