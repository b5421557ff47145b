package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.loop.FailureLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueDepthsTest {
  /** To read the queue "bad" takes a second, and fails; the reads of the others are counted. */
  private static final String FAIL_SLOWLY =
      """
      create sequence public.reads;
      create function public.read(queue text) returns boolean language plpgsql as $$
        begin
          if queue = 'bad' then
            perform pg_sleep(1);
            raise exception 'it cannot be read';
          end if;
          return nextval('public.reads') > 0;
        end
      $$;
      alter table ebb.job rename to real_job;
      create view ebb.job as select * from ebb.real_job where public.read(queue);
      """;

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
    QueueSettings settings = new QueueSettings(false, null, null, null, null, maxDepth);
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
  }

  private static List<NewJob> jobs(int number, String queue) {
    return Collections.nCopies(number, NewJob.builder("echo", "{}").queue(queue).build());
  }

  private long depth(String queue, int maxDepth) throws SQLException {
    return bench.database.inAutocommit(
        connection -> QueueDepths.depth(connection, queue, maxDepth));
  }

  /** Waits until what was committed before is known. */
  private static void awaitFull(QueueDepths depths, String queue) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (depths.letIn(jobs(1, queue)).isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  @Test
  void a_full_queue_lets_nothing_in_and_others_do() throws SQLException {
    limit("full", 3);
    limit("roomy", 100);
    fill(3, "full");
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitFull(depths, "full");

      assertThat(depths.letIn(jobs(1, "full"))).contains(new QueueDepths.Full("full", 3));
      assertThat(depths.letIn(jobs(90, "roomy"))).isEmpty();
      assertThat(depths.letIn(jobs(1_000, "free"))).isEmpty();
      bench.execute("delete from ebb.job");
      awaitRoom(depths, "full", 3);
    }
  }

  private static void awaitRoom(QueueDepths depths, String queue, int room) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (depths.letIn(jobs(room, queue)).isPresent()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  /** From now on the queue's depth cannot be read: no limit of rows is negative. */
  private void makeUnreadable(String queue) throws SQLException {
    bench.execute("alter table ebb.queue drop constraint if exists queue_max_depth_check");
    bench.execute("update ebb.queue set max_depth = -1 where name = '%s'".formatted(queue));
  }

  @Test
  void a_queue_that_cannot_be_read_keeps_no_other_from_its_room() throws SQLException {
    limit("bad", 3);
    limit("full", 3);
    fill(3, "full");
    makeUnreadable("bad");
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitFull(depths, "full");
      bench.execute("delete from ebb.job");
      awaitRoom(depths, "full", 1);

      assertThat(meters.counter("ebb.failures", "part", "depths").count()).isPositive();
      assertThat(depths.letIn(jobs(1_000, "bad"))).isEmpty();
    }
  }

  @Test
  void a_read_that_fails_slowly_is_not_repeated_with_the_others() throws Exception {
    assertThat(failuresWhileAnotherIsReadOften(20)).isOne();
  }

  @Test
  void control_a_read_that_is_not_paced_fails_before_each_of_the_others() throws Exception {
    assertThat(failuresWhileAnotherIsReadOften(1)).isGreaterThan(3);
  }

  private double failuresWhileAnotherIsReadOften(int share) throws SQLException {
    limit("bad", 1);
    limit("good", 1);
    fill(1, "bad");
    fill(1, "good");
    bench.execute(FAIL_SLOWLY);
    try (QueueDepths _ =
        new QueueDepths(bench.database, failureLog, Duration.ofSeconds(10), share)) {
      long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
      while (bench.count("generate_series(1, (select last_value from public.reads))") < 4) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
      return meters.counter("ebb.failures", "part", "depths").count();
    }
  }

  @Test
  void a_room_that_cannot_be_read_again_is_forgotten() throws SQLException {
    limit("full", 3);
    fill(3, "full");
    try (QueueDepths depths =
        new QueueDepths(bench.database, failureLog, Duration.ofMillis(100), 20)) {
      awaitFull(depths, "full");
      makeUnreadable("full");

      awaitRoom(depths, "full", 1);
    }
  }

  @Test
  void what_does_not_fit_as_a_whole_is_not_let_in_at_all() throws SQLException {
    limit("a", 1);
    limit("b", 100);
    fill(1, "a");
    try (QueueDepths depths = new QueueDepths(bench.database, failureLog)) {
      awaitFull(depths, "a");
      List<NewJob> both = List.of(jobs(1, "b").getFirst(), jobs(1, "a").getFirst());
      for (int i = 0; i < 200; i++) {
        assertThat(depths.letIn(both)).isPresent();
      }

      assertThat(depths.letIn(jobs(101, "b"))).isPresent();
      assertThat(depths.letIn(jobs(100, "b"))).as("nothing of it was taken before").isEmpty();
    }
  }

  @Test
  void a_depth_is_counted_as_far_as_it_matters() throws SQLException {
    fill(500, "some");

    assertThat(depth("some", 1_000)).isEqualTo(500);
    assertThat(depth("some", 400)).isEqualTo(400);
    assertThat(depth("none", 400)).isZero();
  }

  @Test
  void a_great_depth_is_estimated_from_a_bounded_number_of_blocks() throws SQLException {
    bench.countBlocks();
    fill(150_000, "great");
    fill(150_000, "other");
    bench.execute("vacuum analyze ebb.job");
    bench.resetBlocks();

    long depth = depth("great", 10_000_000);

    assertThat(depth).isCloseTo(150_000, Percentage.withPercentage(25));
    assertThat(bench.blocks("%from ebb.job j%"))
        .isBetween((long) QueueDepths.SAMPLED_BLOCKS / 2, 2L * QueueDepths.SAMPLED_BLOCKS);
    assertThat(depth("great", 30_000)).isCloseTo(150_000, within(40_000L));
  }
}
