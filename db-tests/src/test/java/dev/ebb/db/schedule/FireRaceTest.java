package dev.ebb.db.schedule;

import static dev.ebb.db.schedule.ScheduleBench.HOURLY;
import static dev.ebb.db.schedule.ScheduleBench.MINUTELY;
import static dev.ebb.db.schedule.ScheduleBench.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two transactions that fire the same, or that fire what people change, step by step. */
class FireRaceTest {
  private static final String WAITING =
      "pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

  private static final String OTHER = "job = job || '{\"kind\": \"other\"}'";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ScheduleBench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new ScheduleBench();
    bench.put(schedule("one", HOURLY));
    bench.stopped("one", Duration.ZERO);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    bench.close();
  }

  private <T> CompletableFuture<T> async(Callable<T> step) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return step.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        threads);
  }

  /** Fires on a connection of its own, which waits for locks as long as need be. */
  private CompletableFuture<Integer> fire(String node) {
    return async(() -> {
      try (Connection connection = TestPostgres.connect(bench.jobs.config)) {
        connection.setAutoCommit(false);
        FireTally fired = DueBatch.fire(connection, node, List.of("one"), FireJobs::store);
        connection.commit();
        return fired.fires().size();
      }
    });
  }

  /** Has two nodes fire while the schedule's row is locked, and lets them go on. */
  private List<Integer> race() throws Exception {
    try (Connection holder = TestPostgres.connect(bench.jobs.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select from ebb.schedule where name = 'one' for update");
      CompletableFuture<Integer> first = fire("first");
      awaitWaiting(1);
      CompletableFuture<Integer> second = fire("second");
      awaitWaiting(2);
      holder.rollback();
      return List.of(first.join(), second.join());
    }
  }

  private void awaitWaiting(int number) throws SQLException {
    bench.jobs.awaitRow(
        "(select count(*) as n from " + WAITING + ") w where n = " + number,
        Duration.ofSeconds(30));
  }

  @Test
  void of_two_nodes_that_fire_the_same_one_makes_the_job() throws Exception {
    assertThat(race()).containsExactly(1, 0);

    assertThat(bench.jobs.count("ebb.job")).isOne();
    assertThat(bench.fires("one"))
        .singleElement()
        .satisfies(fire -> assertThat(fire.node()).isEqualTo("first"));
  }

  @Test
  void control_without_the_key_of_the_marks_both_make_one() throws Exception {
    bench.jobs.execute("alter table ebb.schedule_fire drop constraint schedule_fire_pkey");

    assertThat(race()).containsExactly(1, 1);

    assertThat(bench.jobs.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void a_second_node_does_not_wait_long_and_fails_at_nothing() throws Exception {
    try (Connection holder = TestPostgres.connect(bench.jobs.config)) {
      holder.setAutoCommit(false);
      DueBatch.fire(holder, "first", List.of("one"), FireJobs::store);

      FireTally second = bench.fireDue();

      assertThat(second.fires()).isEmpty();
      assertThat(second.failures()).isEmpty();
      holder.rollback();
    }
    assertThat(bench.fireDue().fires()).hasSize(1);
  }

  /** Lets a fire wait for the schedule's row while a statement changes that. */
  private CompletableFuture<Integer> changeMeanwhile(String sql) throws Exception {
    try (Connection holder = TestPostgres.connect(bench.jobs.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select from ebb.schedule where name = 'one' for update");
      CompletableFuture<Integer> fire = fire("node");
      awaitWaiting(1);
      statement.execute(sql);
      holder.commit();
      return fire;
    }
  }

  @Test
  void no_fire_stands_of_a_schedule_that_was_changed_meanwhile() throws Exception {
    CompletableFuture<Integer> fire =
        changeMeanwhile("update ebb.schedule set version = version + 1, " + OTHER);

    assertThatThrownBy(fire::join).hasMessageContaining("was changed while it fired");
    assertThat(bench.jobs.count("ebb.job")).isZero();
    assertThat(bench.fires("one")).isEmpty();
  }

  @Test
  void control_without_a_new_version_a_job_is_made_of_what_is_no_longer_there() throws Exception {
    CompletableFuture<Integer> fire = changeMeanwhile("update ebb.schedule set " + OTHER);

    assertThat(fire.join()).isOne();
    assertThat(bench.jobs.count("ebb.job where kind = 'echo'")).isOne();
  }

  /**
   * Has a node look at a schedule that stood for five minutes; a second later another looks and
   * fires, and what the statement does comes with it; then the first one goes on.
   */
  private CompletableFuture<Integer> outrun(String sql) throws Exception {
    bench.put(schedule("one", new Timing.Every(Duration.ofSeconds(1))));
    bench.stopped("one", Duration.ofMinutes(5));
    try (Connection quick = TestPostgres.connect(bench.jobs.config);
        Statement statement = quick.createStatement()) {
      quick.setAutoCommit(false);
      statement.execute("lock table ebb.schedule_fire in exclusive mode");
      CompletableFuture<Integer> slow = fire("slow");
      awaitWaiting(1);
      bench.jobs.awaitRow(
          "(values (timestamptz '%s')) t (looked) where clock_timestamp() > looked + interval '1 s'"
              .formatted(bench.schedules.now()),
          Duration.ofSeconds(30));
      DueBatch.fire(quick, "quick", List.of("one"), FireJobs::store);
      statement.execute(sql);
      quick.commit();
      return slow;
    }
  }

  @Test
  void misfires_that_another_node_has_counted_meanwhile_are_not_counted_again() throws Exception {
    CompletableFuture<Integer> slow = outrun("select");

    assertThatThrownBy(slow::join).hasCauseInstanceOf(DueBatch.Elsewhere.class);
    assertThat(bench.jobs.count("ebb.schedule_fire where missed > 0")).isOne();
    assertThat(bench.jobs.count("ebb.schedule_fire where node = 'slow'")).isZero();
  }

  @Test
  void control_if_the_next_fire_did_not_tell_of_the_other_node_they_would_be() throws Exception {
    CompletableFuture<Integer> slow =
        outrun(
            """
            update ebb.schedule
            set next_fire_at = (select fire_at - missed * interval '1 s'
              from ebb.schedule_fire where missed > 0)
            """);

    // One for the misfires, and one for each second that passed while it looked.
    assertThat(slow.join()).isPositive();
    assertThat(bench.jobs.count("ebb.schedule_fire where missed > 0")).isEqualTo(2);
  }

  @Test
  void no_fire_stands_of_a_schedule_that_was_paused_or_deleted_meanwhile() throws Exception {
    CompletableFuture<Integer> fire =
        changeMeanwhile("update ebb.schedule set paused_since = now(), paused_by = 'ada'");
    assertThatThrownBy(fire::join).hasMessageContaining("was changed while it fired");
    bench.schedules.resume("one", Bench.ACT);
    bench.stopped("one", Duration.ZERO);

    CompletableFuture<Integer> next = changeMeanwhile("delete from ebb.schedule");

    assertThatThrownBy(next::join).hasMessageContaining("was changed while it fired");
    assertThat(bench.jobs.count("ebb.job")).isZero();
    assertThat(bench.jobs.count("ebb.schedule_fire")).isZero();
  }

  @Test
  void no_fire_stands_of_a_schedule_that_was_deleted_and_made_anew_meanwhile() throws Exception {
    CompletableFuture<Integer> fire =
        changeMeanwhile("update ebb.schedule set created_at = clock_timestamp(), " + OTHER);

    assertThatThrownBy(fire::join).hasMessageContaining("was changed while it fired");
    assertThat(bench.jobs.count("ebb.job")).isZero();
  }

  @Test
  void a_run_by_hand_sees_the_job_of_the_fire_for_which_it_waited() throws Exception {
    bench.put(schedule("one", MINUTELY, Misfires.DEFAULT, Overlap.SKIP));
    bench.stopped("one", Duration.ZERO);
    try (Connection holder = TestPostgres.connect(bench.jobs.config)) {
      holder.setAutoCommit(false);
      DueBatch.fire(holder, "node", List.of("one"), FireJobs::store);
      CompletableFuture<Boolean> run =
          async(
              () -> bench.schedules.run("one", Bench.ACT).orElseThrow() instanceof HandRun.Barred);
      awaitWaiting(1);
      holder.commit();

      assertThat(run.join()).isTrue();
    }
    assertThat(bench.jobs.count("ebb.job")).isOne();
  }

  @Test
  void two_nodes_start_the_fires_of_a_queue_one_at_a_time_and_in_order() throws Exception {
    bench.put(schedule("one", MINUTELY, new Misfires(Misfires.Rule.ALL, 1_000), Overlap.QUEUE));
    bench.stopped("one", Duration.ofMinutes(30));
    Firing second = new Firing(bench.jobs.database, "second");
    bench.fireDue();

    while (bench.find("one").waiting() > 0) {
      bench.jobs.completeAll(bench.jobs.claim(9));
      List<CompletableFuture<FireTally>> starts =
          List.of(async(bench::startWaiting), async(() -> ScheduleBench.startWaiting(second)));
      int started = starts.stream().mapToInt(start -> start.join().fires().size()).sum();
      assertThat(started).isEqualTo(1);
      assertThat(bench.jobs.count("ebb.job")).isEqualTo(1);
    }

    List<FireView> fires = bench.fires("one").reversed();
    assertThat(fires).hasSizeBetween(31, 32);
    assertThat(fires).isSortedAccordingTo(Comparator.comparing(FireView::firedAt));
  }
}
