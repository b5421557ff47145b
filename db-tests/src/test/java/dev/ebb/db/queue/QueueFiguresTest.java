package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.OrderedJobs;
import dev.ebb.db.stats.GaugeLease;
import dev.ebb.db.stats.MeteredQueues;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The figures that one node shows in its metrics for the whole cluster. */
class QueueFiguresTest {
  private Bench bench;
  private QueueFigureReads reads;

  @BeforeEach
  void open() {
    bench = new Bench();
    reads = new QueueFigureReads(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String queue, int jobs) throws SQLException {
    for (int i = 0; i < jobs; i++) {
      bench.submit(NewJob.builder("echo", "1").queue(queue).build());
    }
  }

  private QueueFigures of(String queue, int most) throws SQLException {
    return reads.busiest(most).stream()
        .filter(one -> one.queue().equals(queue))
        .findAny()
        .orElseThrow();
  }

  @Test
  void a_claimed_job_is_not_due_and_neither_is_one_of_later() throws SQLException {
    submit(Bench.QUEUE, 3);
    bench.submit(
        NewJob.builder("echo", "1").runAt(Instant.now().plus(Duration.ofHours(1))).build());
    bench.execute("update ebb.job set run_at = now() - interval '1 minute' where run_at <= now()");
    bench.claimOne();

    QueueFigures figures = of(Bench.QUEUE, 10);

    assertThat(figures.jobs()).isEqualTo(4);
    assertThat(figures.running()).isEqualTo(1);
    assertThat(figures.due()).isEqualTo(2);
    assertThat(figures.oldestDue()).isBetween(Duration.ofMinutes(1), Duration.ofHours(1));
    assertThat(figures.deadLetters()).isZero();
    assertThat(figures.blockedKeys()).isZero();
    assertThat(figures.paused()).isFalse();
    assertThat(figures.rate()).isNull();
  }

  @Test
  void an_ordering_key_is_blocked_until_its_first_job_is_skipped() throws SQLException {
    UUID first = OrderedJobs.block(bench.database, "orders", "order-1", 3).getFirst();
    bench.execute(
        """
        update ebb.job set ordering_key = 'order-2'
        where id = (select max(id::text)::uuid from ebb.job where queue = 'orders')
        """);
    OrderedJobs.block(bench.database, "others", "order-1", 2);

    assertThat(of("orders", 10).blockedKeys()).isEqualTo(2);
    assertThat(of("others", 10).blockedKeys()).isOne();

    bench.changes.act(first, new JobAction.Skip(), Bench.ACT);
    assertThat(of("orders", 10).blockedKeys()).isOne();
  }

  @Test
  void blocked_keys_cost_a_few_blocks_each_up_to_a_bound_however_many_jobs_wait()
      throws SQLException {
    bench.countBlocks();
    submit(Bench.QUEUE, 1);
    bench.execute(
        """
        insert into ebb.job (
          queue, kind, priority, run_at, max_attempts, payload, ordering_key, ordering_number,
          version, blocked_version, held_version, held_until, held_run_at)
        select
          'default', 'echo', 5, 'infinity', 16, '{}', 'key-' || least(i, 1100),
          nextval('ebb.ordering_number'), 1, 1, 1, 'infinity', now()
        from generate_series(1, 60000) i
        """);
    bench.execute("vacuum analyze ebb.job");
    bench.resetBlocks();

    assertThat(of(Bench.QUEUE, 10).blockedKeys()).isEqualTo(QueueFigureReads.MOST_KEYS);
    assertThat(bench.blocks("%as blocked_keys%")).isBetween(1L, 12L * QueueFigureReads.MOST_KEYS);
  }

  @Test
  void where_nothing_is_due_the_oldest_is_zero_and_dead_letters_are_no_jobs() throws SQLException {
    submit(Bench.QUEUE, 1);
    bench.deadLetter(bench.claimOne());

    QueueFigures figures = of(Bench.QUEUE, 10);

    assertThat(figures.jobs()).isZero();
    assertThat(figures.due()).isZero();
    assertThat(figures.oldestDue()).isZero();
    assertThat(figures.deadLetters()).isEqualTo(1);
  }

  @Test
  void what_is_not_among_the_busiest_is_counted_together_and_the_sum_is_right()
      throws SQLException {
    submit("a", 1);
    submit("b", 3);
    submit("c", 2);
    submit(MeteredQueues.OTHER, 9);

    List<QueueFigures> figures = reads.busiest(3);

    assertThat(figures).extracting(QueueFigures::queue).containsExactly("b", "c", "other");
    assertThat(of("other", 3).jobs()).isEqualTo(10);
    assertThat(of("other", 3).due()).as("unknown, and not 0").isNull();
    assertThat(figures.stream().mapToLong(QueueFigures::jobs).sum()).isEqualTo(15);
  }

  @Test
  void a_queue_with_settings_and_jobs_comes_before_those_whose_names_anybody_invents()
      throws SQLException {
    submit("invented", 5);
    submit("orders", 1);
    put("orders", QueueSettings.of(true, null));
    put("idle", QueueSettings.of(false, null));

    assertThat(reads.busiest(1)).extracting(QueueFigures::queue).containsExactly("orders", "other");
    assertThat(of("orders", 1).paused()).isTrue();
    assertThat(reads.busiest(3)).hasSize(4);
  }

  @Test
  void a_queue_whose_destination_is_away_says_so() throws SQLException {
    submit("a", 1);
    submit("b", 1);
    submit("c", 1);
    bench.execute(
        """
        insert into ebb.queue (name, destination)
        select n, '{"url": "http://a.example"}' from unnest('{a,b,c}'::text[]) n;
        insert into ebb.circuit (queue, held_until, state)
        values
          ('a', null, '{"phase": "DISABLED"}'),
          ('b', now() + interval '1 hour', '{"phase": "CLOSED"}'),
          ('c', now() - interval '1 hour', '{"phase": "CLOSED"}')
        """);

    assertThat(reads.busiest(3))
        .extracting(QueueFigures::queue, QueueFigures::circuitOpen)
        .containsExactly(
            tuple("a", true), tuple("b", true), tuple("c", false), tuple("other", null));
  }

  @Test
  void a_limiter_is_told_with_its_rate_of_the_moment_and_the_one_that_is_set() throws SQLException {
    RateLimit limit = RateLimit.of(20, Duration.ofHours(1), 3);
    put("limited", new QueueSettings(false, null, limit, null));
    submit("limited", 1);

    QueueFigures figures = of("limited", 10);

    assertThat(figures.rateLimit()).isEqualTo(20);
    assertThat(figures.rate()).as("it is cold").isPositive().isLessThan(20);
  }

  @Test
  void one_node_at_a_time_has_the_lease_until_it_ends_or_is_given_back() throws SQLException {
    GaugeLease first = new GaugeLease(bench.database, "first");
    GaugeLease second = new GaugeLease(bench.database, "second");
    Duration hour = Duration.ofHours(1);

    assertThat(first.take(hour)).isTrue();
    assertThat(second.take(hour)).isFalse();
    assertThat(first.take(hour)).as("renewed").isTrue();
    second.giveBack();
    assertThat(second.take(hour)).as("it was not his to give").isFalse();

    first.giveBack();
    assertThat(second.take(hour)).isTrue();

    bench.execute("update ebb.gauge_lease set expires_at = now()");
    assertThat(first.take(hour)).isTrue();
    assertThat(second.take(hour)).isFalse();

    bench.execute("truncate ebb.gauge_lease");
    assertThat(second.take(hour)).as("after a crash of the server its row is gone").isTrue();
    assertThat(first.take(hour)).isFalse();
  }

  private void put(String queue, QueueSettings settings) throws SQLException {
    new Queues(bench.database).put(queue, settings, false, Bench.ACT);
  }
}
