package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.OldSnapshot;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tallies become statistics: each once, whatever happens meanwhile. */
class FoldTest {
  /** The same for all rows of a statement, however long that takes. */
  private static final String TURN =
      "(select floor(date_part('epoch', clock_timestamp()) / 15)::bigint)";

  private static final int STATEMENTS_OF_A_FOLD = 5;

  private Bench bench;
  private Fold fold;

  @BeforeEach
  void open() {
    bench = new Bench();
    fold = new Fold(bench.database, Duration.ZERO);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Does a bit of everything. */
  private void work() throws SQLException {
    bench.jobs.submit(List.of(NewJob.of("echo", "{}"), NewJob.of("echo", "{}")));
    bench.complete(bench.claimOne());
    bench.deadLetter(bench.claimOne());
    bench.changes.act(bench.submitOne(), new JobAction.Cancel(), Bench.ACT);
    bench.submit(NewJob.builder("echo", "{}").queue("another").build());
  }

  /** Puts what was counted where the time is over. */
  private void ripen() throws SQLException {
    bench.execute("update ebb.tally set part = (%s + 3) %% 4".formatted(TURN));
  }

  /** Three minutes of the server's work, if it loops over the queues for each of them. */
  @Test
  void tallies_of_ten_thousand_queues_are_folded_within_a_statements_time_before_they_are_analyzed()
      throws SQLException {
    bench.execute("alter table ebb.tally_0 set (autovacuum_enabled = off)");
    bench.execute("alter table ebb.tally_1 set (autovacuum_enabled = off)");
    bench.execute("alter table ebb.tally_2 set (autovacuum_enabled = off)");
    bench.execute("alter table ebb.tally_3 set (autovacuum_enabled = off)");
    bench.execute(
        "insert into ebb.queue (name) select 'queue-' || i from generate_series(1, 10000) i");
    bench.execute(
        """
        insert into ebb.tally (number, counter, part, queue, kind)
        select 1, 1, (%s + 3) %% 4, 'queue-' || (1 + i %% 10000), 'echo'
        from generate_series(1, 400000) i
        """
            .formatted(TURN));

    foldAll();
    // A busy machine takes longer than the tallies' turn, which then come round once more.
    for (int turns = 1; bench.count("ebb.tally") > 0 && turns < 5; turns++) {
      ripen();
      foldAll();
    }

    assertThat(bench.count("ebb.tally")).isZero();
    assertThat(bench.count("ebb.stat_queue where jobs = 40")).isEqualTo(10_000);
  }

  /** A vacuum of the server's own may have a partition for a moment. */
  private void foldAll() throws SQLException {
    Fold.Step step = fold.step();
    while (step != Fold.Step.DONE) {
      step = fold.step();
    }
  }

  private Map<String, Long> counted() throws SQLException {
    return Recount.ofTheStatistics(bench.config);
  }

  private void assertDepthsAreRight() throws SQLException {
    assertThat(
            bench.count(
                """
                (
                  select coalesce(queue, '*') as queue, count(*) as jobs from ebb.job
                  group by grouping sets ((queue), ())
                ) j
                full join (select * from ebb.stat_queue where jobs <> 0) s using (queue)
                where s.jobs is distinct from j.jobs and coalesce(s.jobs, 0) <> coalesce(j.jobs, 0)
                """))
        .as("wrong numbers of jobs")
        .isZero();
    assertThat(bench.count("ebb.dead_letter"))
        .isEqualTo(
            bench.count("ebb.stat_queue, generate_series(1, dead_letters) where queue = '*'"));
  }

  @Test
  void what_is_folded_is_counted_in_each_step_and_nowhere_else() throws SQLException {
    work();
    Map<String, Long> before = counted();

    ripen();
    foldAll();

    assertThat(bench.count("ebb.tally")).isZero();
    assertThat(counted()).isEqualTo(before);
    assertThat(Recount.statistics(bench.config, 1)).isEqualTo(before);
    assertThat(Recount.statistics(bench.config, 60)).isEqualTo(before);
    assertThat(before).isEqualTo(Recount.ofTheJobs(bench.config));
    assertDepthsAreRight();
    assertThat(bench.count("ebb.stat where step = 1 and at <> date_trunc('minute', at)")).isZero();
  }

  @Test
  void what_comes_later_is_added() throws SQLException {
    for (int i = 0; i < 3; i++) {
      work();
      ripen();
      foldAll();
    }

    assertThat(counted()).isEqualTo(Recount.ofTheJobs(bench.config));
    assertDepthsAreRight();
    assertThat(bench.count("ebb.stat where step = 1440 and queue = 'default' and run[1] >= 0"))
        .isBetween(1L, 2L);
  }

  @Test
  void what_is_written_to_now_stays() throws SQLException {
    bench.submitOne();

    assertThat(fold.step()).isEqualTo(Fold.Step.DONE);

    assertThat(bench.count("ebb.tally")).isOne();
  }

  /** What a fold does that finds a tally of so many turns ago. */
  private Fold.Step stepOn(int turnsAgo, Fold fold) throws SQLException {
    long turn;
    Fold.Step step;
    do {
      bench.submitOne();
      turn = turn();
      bench.execute("update ebb.tally set part = %s".formatted((turn + 4 - turnsAgo) % 4));
      step = fold.step();
    } while (turn() != turn);
    return step;
  }

  private long turn() throws SQLException {
    return bench.count("generate_series(1, %s %% 4)".formatted(TURN));
  }

  @Test
  void what_was_written_to_until_a_moment_ago_rests() throws SQLException {
    Fold resting = new Fold(bench.database, Duration.ofSeconds(15));

    assertThat(stepOn(1, resting)).isEqualTo(Fold.Step.DONE);
    assertThat(stepOn(1, fold)).as("without a rest").isEqualTo(Fold.Step.MORE);
    assertThat(stepOn(2, resting)).isEqualTo(Fold.Step.MORE);
  }

  @Test
  void a_fold_that_dies_before_any_of_its_statements_or_its_commit_has_done_nothing()
      throws SQLException {
    for (int statement = 0; statement <= STATEMENTS_OF_A_FOLD; statement++) {
      work();
      ripen();
      Map<String, Long> before = counted();
      long folded = bench.count("ebb.stat");
      Connection dying = DyingConnection.before(statement, TestPostgres.connect(bench.config));
      dying.setAutoCommit(false);

      if (statement < STATEMENTS_OF_A_FOLD) {
        assertThatThrownBy(() -> fold.foldOne(dying)).hasMessage("died");
      } else {
        assertThat(fold.foldOne(dying)).isEqualTo(Fold.Step.MORE);
        dying.close();
      }

      assertThat(counted()).isEqualTo(before);
      assertThat(bench.count("ebb.stat")).isEqualTo(folded);
    }
    foldAll();
    assertThat(counted()).isEqualTo(Recount.ofTheJobs(bench.config));
  }

  @Test
  void control_a_fold_in_several_transactions_counts_twice() throws SQLException {
    work();
    ripen();
    int beforeItEmpties = STATEMENTS_OF_A_FOLD - 1;
    Connection dying = DyingConnection.before(beforeItEmpties, TestPostgres.connect(bench.config));

    assertThatThrownBy(() -> fold.foldOne(dying)).hasMessage("died");

    assertThat(counted()).isNotEqualTo(Recount.ofTheJobs(bench.config));
  }

  @Test
  void two_nodes_that_fold_beside_writers_count_nothing_twice() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Void>> folders =
        IntStream.range(0, 2)
            .mapToObj(_ -> CompletableFuture.runAsync(() -> foldUntil(over)))
            .toList();
    for (int i = 0; i < 20; i++) {
      work();
      ripen();
    }
    over.set(true);
    folders.forEach(CompletableFuture::join);

    ripen();
    foldAll();

    assertThat(bench.count("ebb.tally")).isZero();
    assertThat(counted()).isEqualTo(Recount.ofTheJobs(bench.config));
    assertDepthsAreRight();
  }

  private void foldUntil(AtomicBoolean over) {
    try {
      while (!over.get()) {
        fold.step();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_writer_that_has_not_committed_is_waited_for_and_counted() throws SQLException {
    work();
    ripen();
    try (Connection late = TestPostgres.connect(bench.config);
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute(
          """
          insert into ebb.tally (at, counter, queue, kind, number, part)
          values (now() - interval '2 minutes', 9, 'default', 'echo', 1, (%s + 3) %% 4)
          """
              .formatted(TURN));

      assertThat(fold.step()).isEqualTo(Fold.Step.BUSY);

      late.commit();
    }
    foldAll();
    assertThat(counted()).containsEntry("default/echo discarded", 1L);
    assertThat(bench.count("ebb.stat where step = 1 and discarded = 1 and submitted = 0")).isOne();
  }

  @Test
  void an_old_snapshot_leaves_nothing_behind() throws SQLException {
    try (Connection _ = OldSnapshot.of(bench.config)) {
      for (int i = 0; i < 3; i++) {
        work();
        bench.execute(
            "insert into ebb.tally (counter, queue, kind, number, part)"
                + " select 9, 'default', 'echo', 1, (%s + 3) %% 4 from generate_series(1, 1000)"
                    .formatted(TURN));
        foldAll();
      }

      assertThat(
              bench.count(
                  "generate_series(0, 3) p where p <> %s %% 4 and pg_relation_size('ebb.tally_' || p) > 8192"
                      .formatted(TURN)))
          .isZero();
    }
  }

  @Test
  void a_partition_that_somebody_reads_for_hours_is_folded_in_pieces_once_it_is_large()
      throws SQLException {
    int rows = 250_000;
    bench.execute(
        """
        insert into ebb.tally (counter, queue, kind, number, part)
        select 9, 'default', 'echo', 1, (%s + 3) %% 4 from generate_series(1, %s)
        """
            .formatted(TURN, rows));
    try (Connection dump = TestPostgres.connect(bench.config);
        Statement statement = dump.createStatement()) {
      dump.setAutoCommit(false);
      statement.execute("lock table ebb.tally in access share mode");
      List<Fold.Step> steps = new ArrayList<>();
      while (bench.count("ebb.tally") > 0) {
        steps.add(fold.step());
        assertThat(counted()).containsEntry("default/echo discarded", (long) rows);
      }
      assertThat(steps).doesNotContain(Fold.Step.BUSY);
      assertThat(steps).filteredOn(step -> step == Fold.Step.MORE).hasSizeGreaterThan(1);
    }
    foldAll();
    assertThat(counted()).containsEntry("default/echo discarded", (long) rows);
  }

  @Test
  void names_that_anybody_may_invent_fill_neither_a_minute_nor_an_hour_nor_a_day()
      throws SQLException {
    QueueSettings settings = new QueueSettings(false, null, null, null);
    new Queues(bench.database).put("zz-ours", settings, true, Bench.ACT);
    for (int round = 0; round < 2; round++) {
      bench.execute(
          """
          insert into ebb.tally (at, counter, queue, kind, number, part)
          select '2026-01-01 00:00:30Z'::timestamptz, 1, 'n%s-' || i, 'echo', 5, (%s + 3) %% 4
          from generate_series(1, 400) i
          union all select '2026-01-01 00:00:30Z'::timestamptz, 1, 'zz-ours', 'echo', 1, (%s + 3) %% 4
          """
              .formatted(round, TURN, TURN));
      foldAll();
    }

    for (int step : new int[] {1, 60, 1440}) {
      String rows = "ebb.stat where step = %s".formatted(step);
      assertThat(bench.count(rows)).isEqualTo(Fold.MOST_PAIRS + 1);
      assertThat(bench.count(rows + " and queue = 'zz-ours' and submitted = 2")).isOne();
      assertThat(bench.count(rows + " and (queue, kind) = ('*', '*') and submitted = 5 * 301"))
          .isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void queues_are_counted_anew_once_every_node_counts(boolean folded) throws SQLException {
    work();
    if (folded) {
      ripen();
      foldAll();
    }
    // As a node of the last release does.
    bench.execute("delete from ebb.tally where counter = 1 and queue = 'another'");
    bench.execute(
        "insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)"
            + " values ('theirs', 'echo', 5, now(), 1, '{}')");
    bench.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('old', '1', '', '{}', '{}', 1), ('new', '2', '', '{}', '{}', 1)
        """);
    fold.recount();
    assertThat(bench.count("ebb.stat_state where exact_since is null")).isOne();

    bench.execute("update ebb.node set stopped_at = now() where name = 'old'");
    fold.recount();

    assertThat(bench.count("ebb.stat_state where exact_since is not null")).isOne();
    ripen();
    foldAll();
    assertDepthsAreRight();
    bench.execute("update ebb.node set stopped_at = null where name = 'old'");
    fold.recount();
    assertThat(bench.count("ebb.stat_state where exact_since is null")).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"13", "null"})
  void builds_of_one_version_for_different_schemas_are_not_one_release(String schema)
      throws SQLException {
    Nodes nodes = new Nodes(bench.database);
    nodes.start(new NodeFacts("new", "dev", "", List.of(), List.of(), 0), false);
    nodes.start(new NodeFacts("old", "dev", "", List.of(), List.of(), 0), false);
    bench.execute("update ebb.node set needs_schema = %s where name = 'old'".formatted(schema));

    fold.recount();

    assertThat(bench.count("ebb.stat_state where exact_since is null")).isOne();
    nodes.start(new NodeFacts("old", "dev", "", List.of(), List.of(), 0), false);
    fold.recount();
    assertThat(bench.count("ebb.stat_state where exact_since is not null")).isOne();
  }

  @Test
  void old_steps_and_queues_that_are_gone_are_deleted() throws SQLException {
    bench.execute(
        """
        insert into ebb.tally (at, counter, queue, kind, number, part)
        select now() - days * interval '1 day', counter, 'default', 'echo', 1, (%s + 3) %% 4
        from unnest('{1,29,31,399,401}'::integer[]) days, unnest('{1,3}'::integer[]) counter
        """
            .formatted(TURN));
    foldAll();
    assertThat(bench.count("ebb.stat")).isEqualTo(15);
    StatRetention retention = new StatRetention(bench.database);

    assertThat(retention.prune()).isFalse();

    assertThat(bench.count("ebb.stat where step = 1")).isEqualTo(2);
    assertThat(bench.count("ebb.stat where step = 60")).isEqualTo(4);
    assertThat(bench.count("ebb.stat where step = 1440")).isEqualTo(4);
    assertThat(bench.count("ebb.stat_queue")).as("still fresh").isEqualTo(2);
    bench.execute("update ebb.stat_queue set touched_at = now() - interval '2 hours'");
    assertThat(retention.prune()).isFalse();
    assertThat(bench.count("ebb.stat_queue where queue <> '*'")).isZero();
  }
}
