package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.NotificationListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node looks through all queues, and when through a few beside what became due. */
class PollerTest {
  private static final String PARK =
      """
      insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
      select 'q-' || lpad(i::text, 3, '0'), 'script', 5, now() + interval '1 day', 16, '{}'
      from generate_series(0, 501) i
      """;

  private static final String LAST = "q-501";

  private WorkerBench bench;
  private final List<String> found = new ArrayList<>();
  private int listensBy = 1;
  private long nanos = 7;

  @BeforeEach
  void open() throws SQLException {
    bench = new WorkerBench();
    bench.execute(PARK);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Poller poller(Duration longestPoll) {
    return new Poller(
        new WorkFinder(bench.database),
        List.of(WorkerBench.KIND),
        WorkerBench.settings().withLongestPoll(longestPoll),
        () -> listensBy,
        found::add,
        () -> nanos);
  }

  /** As if it had been due when it was stored, and its notification had been lost. */
  private void makeDueUntold(String queue) throws SQLException {
    bench.execute(
        "update ebb.job set created_at = now() - interval '1 hour',"
            + " run_at = now() - interval '1 hour' where queue = '"
            + queue
            + "'");
  }

  @Test
  void a_node_that_listens_finds_what_it_was_not_told_of_within_a_second_per_thousand_queues()
      throws SQLException {
    Poller poller = poller(Duration.ofMillis(20));
    poller.step();
    makeDueUntold(LAST);

    nanos += Duration.ofMillis(300).toNanos();
    poller.step();
    assertThat(found).as("300 of 502 queues").isEmpty();
    nanos += Duration.ofMillis(300).toNanos();
    poller.step();

    assertThat(found).containsExactly(LAST);
  }

  @Test
  void a_node_that_begins_looks_through_all_queues() throws SQLException {
    makeDueUntold(LAST);

    poller(Duration.ofMillis(20)).step();

    assertThat(found).containsExactly(LAST);
  }

  @Test
  void a_node_that_listens_anew_looks_through_all_queues_once() throws SQLException {
    Poller poller = poller(Duration.ofMillis(20));
    poller.step();
    makeDueUntold(LAST);
    listensBy = 2;

    poller.step();
    assertThat(found).containsExactly(LAST);

    poller.step();
    assertThat(found).containsExactly(LAST);
  }

  @Test
  void a_node_that_does_not_listen_looks_through_all_queues_each_time() throws SQLException {
    listensBy = 0;
    Poller poller = poller(Duration.ofMillis(20));
    poller.step();
    makeDueUntold(LAST);

    poller.step();

    assertThat(found).containsExactly(LAST);
  }

  @Test
  void a_node_for_which_too_much_became_due_looks_through_all_queues() throws SQLException {
    Poller poller = poller(Duration.ofMillis(20));
    poller.step();
    makeDueUntold(LAST);
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, created_at, run_at, max_attempts, payload)
        select 'q-000', 'script', 5, now() - interval '1 day', now(), 16, '{}'
        from generate_series(1, 10000)
        """);

    poller.step();
    assertThat(found).containsExactly("q-000");
    nanos++;
    poller.step();

    assertThat(found).contains(LAST);
  }

  @Test
  void a_node_looks_again_when_the_next_job_becomes_due() throws SQLException {
    Poller poller = poller(Duration.ofMinutes(1));
    Duration wait = Duration.ZERO;
    for (int i = 0; i < 15; i++) {
      wait = poller.step();
    }
    assertThat(wait).isGreaterThanOrEqualTo(Duration.ofSeconds(45));

    bench.submit(NewJob.builder(WorkerBench.KIND, "{}").delay(Duration.ofSeconds(30)).build());

    assertThat(poller.step()).isLessThan(Duration.ofSeconds(31));
  }

  @Test
  void a_drain_tells_the_other_nodes_what_it_gives_back() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    CountDownLatch started = new CountDownLatch(1);
    Worker worker =
        bench.start(
            WorkerBench.settings().withDrainTimeout(Duration.ZERO),
            _ -> {
              started.countDown();
              new CountDownLatch(1).await();
              return Outcome.completed();
            });
    bench.submit(NewJob.builder(WorkerBench.KIND, "{}").queue("left").build());
    started.await();
    FailureLog failureLog = new FailureLog(new SimpleMeterRegistry());
    try (NotificationListener listener =
        new NotificationListener(
            bench.database, failureLog, heard::add, () -> {}, () -> {}, () -> {})) {
      Await.until("it listens", () -> listener.listensBy() > 0);

      worker.close();

      Await.until("the queue is told", () -> heard.contains("left"));
    }
  }
}
