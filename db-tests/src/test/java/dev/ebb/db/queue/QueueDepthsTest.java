package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.stats.Fold;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueDepthsTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FailureLog failureLog = new FailureLog(meters);
  private Bench bench;

  @BeforeEach
  void start() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void limit(String queue, int maxDepth) throws SQLException {
    QueueSettings settings =
        new QueueSettings(false, null, null, null, null, maxDepth, null, Map.of());
    new Queues(bench.database).put(queue, settings, true, Bench.ACT);
  }

  private void fill(int jobs, String queue) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select '%s', 'echo', i %% 10, now(), 16, repeat('x', 200)
        from generate_series(1, %s) i
        """
            .formatted(queue, jobs));
    recount();
  }

  private void empty() throws SQLException {
    bench.execute("delete from ebb.job");
    recount();
  }

  /** What was written by hand has left no tally. */
  private void recount() throws SQLException {
    bench.execute("select ebb.recount_queues()");
  }

  private static List<NewJob> jobs(int number, String queue) {
    return Collections.nCopies(number, NewJob.builder("echo", "{}").queue(queue).build());
  }

  /**
   * Waits until what was committed before is known. More jobs than any of these queues may have are
   * refused from then on, and take no room.
   */
  private static void awaitRead(QueueDepths depths, String queue) throws Exception {
    Await.until("the depths are read", () -> depths.letIn(jobs(1_000, queue)).isPresent());
  }

  @Test
  void a_full_queue_lets_nothing_in_and_others_do() throws Exception {
    limit("full", 3);
    limit("roomy", 100);
    fill(3, "full");
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitRead(depths, "full");

      assertThat(depths.letIn(jobs(1, "full"))).contains(new QueueDepths.Full("full", 3));
      assertThat(depths.letIn(jobs(90, "roomy"))).isEmpty();
      assertThat(depths.letIn(jobs(1_000, "free"))).isEmpty();
      empty();
      awaitRoom(depths, "full", 3);
    }
  }

  private static void awaitRoom(QueueDepths depths, String queue, int room) throws Exception {
    Await.until("there is room", () -> depths.letIn(jobs(room, queue)).isEmpty());
  }

  @Test
  void every_queue_is_limited_however_many_there_are() throws Exception {
    bench.execute(
        "insert into ebb.queue (name, max_depth) select 'q' || to_char(i, 'FM0000000'), 1"
            + " from generate_series(1, 10000) i");
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select name, 'echo', 5, now(), 16, '{}' from ebb.queue
        """);
    recount();
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitRead(depths, "q0000001");

      for (int i : List.of(1, 999, 1_000, 1_001, 5_000, 10_000)) {
        String queue = String.format(Locale.ROOT, "q%07d", i);
        assertThat(depths.letIn(jobs(1, queue))).contains(new QueueDepths.Full(queue, 1));
      }
    }
  }

  /** Folds, and answers whether nothing is left; a turn may end in between. */
  private boolean isFolded() throws SQLException {
    bench.execute(
        "update ebb.tally set part ="
            + " (floor(date_part('epoch', clock_timestamp()) / 15)::bigint + 2) % 4");
    Fold fold = new Fold(bench.database);
    while (fold.step() != Fold.Step.DONE) {
      Thread.onSpinWait();
    }
    return bench.count("ebb.tally") == 0;
  }

  @Test
  void what_is_not_folded_yet_counts_as_what_is() throws Exception {
    limit("half", 10);
    bench.jobs.submit(jobs(2, "half"));
    Await.until("all is folded", this::isFolded);
    bench.jobs.submit(jobs(3, "half"));
    bench.changes.act(bench.submit(jobs(1, "half").getFirst()), new JobAction.Cancel(), Bench.ACT);
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitRead(depths, "half");

      assertThat(depths.letIn(jobs(6, "half"))).isPresent();
      assertThat(depths.letIn(jobs(5, "half"))).isEmpty();
    }
  }

  @Test
  void rooms_that_cannot_be_read_again_are_forgotten() throws Exception {
    limit("full", 3);
    fill(3, "full");
    try (QueueDepths depths =
        new QueueDepths(bench.database, failureLog, Duration.ofMillis(100), 20)) {
      awaitRead(depths, "full");
      bench.execute("alter table ebb.stat_queue rename to lost");

      // On a busy machine a room may be old before it should have been read again.
      Await.until(
          "a reading fails", () -> meters.counter("ebb.failures", "part", "depths").count() > 0);
      awaitRoom(depths, "full", 1);
    }
  }

  @Test
  void what_does_not_fit_as_a_whole_is_not_let_in_at_all() throws Exception {
    limit("a", 1);
    limit("b", 100);
    fill(1, "a");
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitRead(depths, "a");
      List<NewJob> both = List.of(jobs(1, "b").getFirst(), jobs(1, "a").getFirst());
      for (int i = 0; i < 200; i++) {
        assertThat(depths.letIn(both)).isPresent();
      }

      assertThat(depths.letIn(jobs(101, "b"))).isPresent();
      assertThat(depths.letIn(jobs(100, "b"))).as("nothing of it was taken before").isEmpty();
    }
  }

  @Test
  void ten_thousand_depths_are_one_statement_that_reads_no_job() throws SQLException {
    bench.countBlocks();
    bench.execute(
        "insert into ebb.queue (name, max_depth) select 'q' || i, 1000"
            + " from generate_series(1, 10000) i");
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select name, 'echo', 5, now(), 16, repeat('x', 200) from ebb.queue, generate_series(1, 10)
        """);
    recount();
    bench.execute("vacuum analyze ebb.queue");
    bench.execute("vacuum analyze ebb.stat_queue");
    bench.resetBlocks();

    bench.execute(QueueDepths.DEPTHS);

    assertThat(bench.blocks("%max_depth is not null%"))
        .as("of a hundred thousand jobs in some 4,000 blocks")
        .isLessThan(1_000);
  }
}
