package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueuesTest {
  private static final QueueSettings LIMITED =
      new QueueSettings(false, null, RateLimit.of(9, Duration.ZERO, 1), null);

  private Bench bench;
  private Queues queues;

  @BeforeEach
  void start() {
    bench = new Bench();
    queues = new Queues(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String queue) throws SQLException {
    bench.submit(NewJob.builder("echo", "{}").queue(queue).build());
  }

  private List<QueueView> all(int limit) throws SQLException {
    List<QueueView> all = new ArrayList<>();
    String after = null;
    do {
      QueuePage page = queues.page(after, limit);
      assertThat(page.queues()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.queues());
      after = page.next();
    } while (after != null);
    return all;
  }

  @Test
  void pages_show_queues_with_settings_and_those_that_merely_have_jobs_by_name()
      throws SQLException {
    for (String queue : List.of("b", "d", "e", "b", "d")) {
      submit(queue);
    }
    for (String queue : List.of("a", "d", "f")) {
      queues.put(queue, LIMITED, true, Bench.ACT);
    }

    for (int limit : new int[] {1, 2, 3, 5, 100}) {
      List<QueueView> all = all(limit);

      assertThat(all).extracting(QueueView::name).containsExactly("a", "b", "d", "e", "f");
      assertThat(all)
          .filteredOn(QueueView::isConfigured)
          .extracting(QueueView::name)
          .containsExactly("a", "d", "f");
      assertThat(all.get(1).settings()).isEqualTo(QueueSettings.of(false, null));
      assertThat(all.get(2).settings()).isEqualTo(LIMITED);
    }
  }

  @Test
  void a_page_costs_a_few_blocks_for_each_queue_however_many_jobs_it_has() throws SQLException {
    bench.countBlocks();
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'queue-' || 100 + i %% 30, 'echo', i %% 10, now(), 16, '{}'
        from generate_series(1, 60000) i
        """
            .formatted());
    assertThat(queues.page(null, 20).queues()).hasSize(20);
    bench.resetBlocks();

    assertThat(queues.page("queue-105", 20).queues()).hasSize(20);

    assertThat(bench.blocks("%recursive live (name, steps)%")).isBetween(20L, 300L);
  }

  @Test
  void a_queue_that_merely_has_jobs_is_found_and_one_that_has_nothing_is_not() throws SQLException {
    submit("jobs");

    assertThat(queues.find("jobs").orElseThrow().isConfigured()).isFalse();
    assertThat(queues.find("nothing")).isEmpty();
    bench.execute("delete from ebb.job");
    assertThat(queues.find("jobs")).isEmpty();
  }

  @Test
  void pausing_configures_and_resuming_configures_what_has_jobs() throws SQLException {
    submit("jobs");

    assertThat(queues.resume("nothing", true, Bench.ACT)).isEmpty();
    assertThat(queues.find("nothing")).isEmpty();
    assertThat(queues.resume("jobs", true, Bench.ACT).orElseThrow().isConfigured()).isTrue();
    assertThat(queues.pause("nothing", null, Bench.ACT).settings().paused()).isTrue();
    assertThat(queues.find("nothing").orElseThrow().isConfigured()).isTrue();
  }

  @Test
  void a_removed_queue_has_lost_its_settings_and_its_limiter() throws SQLException {
    queues.put("empty", LIMITED, true, Bench.ACT);
    bench.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('empty', 0, now())");

    assertThat(remove("empty")).isEqualTo(Queues.Removal.REMOVED);

    assertThat(queues.find("empty")).isEmpty();
    assertThat(bench.count("ebb.limiter")).isZero();
    assertThat(remove("empty")).isEqualTo(Queues.Removal.NO_SETTINGS);
  }

  private Queues.Removal remove(String queue) throws SQLException {
    return queues.remove(queue, Bench.ACT, _ -> {});
  }

  @Test
  void a_queue_keeps_its_settings_as_long_as_it_has_jobs_leases_or_dead_letters()
      throws SQLException {
    queues.put(Bench.QUEUE, QueueSettings.of(false, null), true, Bench.ACT);
    bench.submitOne();
    assertThat(remove(Bench.QUEUE)).isEqualTo(Queues.Removal.HAS_JOBS);
    ClaimedJob claimed = bench.claimOne();
    bench.settle(claimed, Outcome.completed(), new Settlement.Complete(), List.of());
    assertThat(remove(Bench.QUEUE)).isEqualTo(Queues.Removal.HAS_LEASES);
    bench.execute("delete from ebb.lease");
    bench.submitOne();
    bench.deadLetter(bench.claimOne());
    assertThat(remove(Bench.QUEUE)).isEqualTo(Queues.Removal.HAS_DEAD_LETTERS);

    bench.execute("delete from ebb.dead_letter");

    assertThat(remove(Bench.QUEUE)).isEqualTo(Queues.Removal.REMOVED);
  }

  @Test
  void a_claim_that_has_the_queue_lock_leaves_no_limiter_behind_a_removed_queue() throws Exception {
    queues.put("locked", LIMITED, true, Bench.ACT);
    CompletableFuture<Boolean> removed;
    try (Connection claim = TestPostgres.connect(bench.config);
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(6644322, hashtext('locked'))");
      statement.execute(
          "insert into ebb.limiter (queue, coldness, next_free_at) values ('locked', 0, now())");
      removed = CompletableFuture.supplyAsync(this::removeLocked);
      bench.awaitRow(
          "pg_locks l join pg_database d on d.oid = l.database"
              + " where d.datname = current_database() and not granted",
          Duration.ofMinutes(1));
      claim.commit();
    }

    assertThat(removed.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(bench.count("ebb.limiter")).isZero();
  }

  private boolean removeLocked() {
    try {
      return remove("locked") == Queues.Removal.REMOVED;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
