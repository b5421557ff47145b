package dev.ebb.db.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Purged;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private static final Act ADA = new Act("ada", "abc", "127.0.0.1", "a wrong price");

  private Bench bench;

  @BeforeEach
  void start() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Purged purge(boolean jobs, boolean deadLetters) throws SQLException {
    return bench.jobs.purge(Bench.QUEUE, jobs, deadLetters, ADA);
  }

  private JobState state(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow().state();
  }

  private UUID dead() throws SQLException {
    UUID id = bench.submitOne();
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    return id;
  }

  @Test
  void a_held_job_is_cancelled_with_the_time_at_which_it_was_due() throws SQLException {
    UUID held = bench.submitOne();
    Instant due = bench.reads.find(held).orElseThrow().times().runAt();
    bench.changes.act(held, new JobAction.Hold(null), ADA);

    assertThat(purge(true, false).purged()).isOne();

    assertThat(state(held)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reads.find(held).orElseThrow().times().runAt()).isEqualTo(due);
  }

  @Test
  void what_waits_is_cancelled_and_what_runs_or_is_elsewhere_stays() throws SQLException {
    UUID dead = dead();
    UUID running = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    UUID due = bench.submitOne();
    UUID later =
        bench.submit(NewJob.builder("echo", "{}").delay(Duration.ofDays(1)).uniqueKey("k").build());
    UUID other = bench.submit(NewJob.builder("echo", "{}").queue("other").build());

    assertThat(purge(true, false)).isEqualTo(new Purged(2, 0));

    assertThat(state(due)).isEqualTo(JobState.CANCELLED);
    assertThat(state(later)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reads.find(later).orElseThrow().uniqueKey()).isEqualTo("k");
    assertThat(state(running)).isEqualTo(JobState.RUNNING);
    assertThat(state(other)).isEqualTo(JobState.AVAILABLE);
    assertThat(state(dead)).isEqualTo(JobState.DEAD_LETTER);
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  void dead_letters_are_cancelled_where_they_are_meant() throws SQLException {
    UUID dead = dead();
    UUID due = bench.submitOne();

    assertThat(purge(false, true)).isEqualTo(new Purged(1, 0));

    assertThat(state(dead)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reads.find(dead).orElseThrow().attempt()).isEqualTo(1);
    assertThat(bench.attempts(dead)).isNotEmpty();
    assertThat(state(due)).isEqualTo(JobState.AVAILABLE);
    assertThat(bench.count("ebb.dead_letter")).isZero();
    assertThat(purge(true, true)).isEqualTo(new Purged(1, 0));
  }

  @Test
  void a_purge_takes_a_bounded_number_and_tells_what_is_left() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'default', 'echo', i %% 10, now(), 16, '{}' from generate_series(1, %s) i
        """
            .formatted(2 * Purge.MOST + 700));

    assertThat(purge(true, false)).isEqualTo(new Purged(Purge.MOST, Purge.MOST));
    assertThat(purge(true, true)).isEqualTo(new Purged(Purge.MOST, 700));
    assertThat(purge(true, true)).isEqualTo(new Purged(700, 0));
    assertThat(purge(true, true)).isEqualTo(new Purged(0, 0));

    assertThat(bench.count("ebb.history where cancelled")).isEqualTo(2 * Purge.MOST + 700);
  }

  @Test
  void the_audit_tells_how_many_each_transaction_took() throws SQLException {
    bench.jobs.submit(Collections.nCopies(Purge.BATCH + 1, NewJob.of("echo", "{}")));

    purge(true, true);

    assertThat(
            bench.count(
                "ebb.audit where action = 'queue.purge' and subject = 'default' and actor = 'ada'"
                    + " and reason = 'a wrong price' and affected in (1, "
                    + Purge.BATCH
                    + ")"))
        .isEqualTo(2);
  }

  /** What the leases name is read while a claim that has the lock is not committed. */
  private void claimedMeanwhile(boolean withLock) throws Exception {
    bench.submitOne();
    try (Connection claim = TestPostgres.connect(bench.config);
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      if (withLock) {
        statement.execute("select pg_advisory_xact_lock(6644322, hashtext('default'))");
      }
      statement.execute(
          """
          insert into ebb.lease (
            queue, node, claimed_at, expires_at, length_micros, job_ids, versions, first_priority,
            last_priority, last_run_at)
          select queue, 'n', now(), now() + interval '1 hour', 1, array[id], array[version],
            priority, priority, run_at
          from ebb.job
          """);
      CompletableFuture<Purged> purged =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return purge(true, false);
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              },
              Thread::startVirtualThread);
      if (withLock) {
        bench.awaitRow(
            "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            Duration.ofMinutes(1));
      } else {
        purged.get(1, TimeUnit.MINUTES);
      }
      claim.commit();
      purged.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void a_job_that_is_claimed_meanwhile_stays() throws Exception {
    claimedMeanwhile(true);

    assertThat(bench.count("ebb.job")).isEqualTo(1);
  }

  @Test
  void control_a_claim_without_the_lock_loses_its_job() throws Exception {
    claimedMeanwhile(false);

    assertThat(bench.count("ebb.job")).isZero();
    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  @Test
  void a_purge_costs_no_more_blocks_beside_many_jobs_of_others() throws SQLException {
    bench.countBlocks();
    String fill =
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select '%s', 'echo', i %% 10, now(), 16, '{}' from generate_series(1, %s) i
        """;
    bench.execute(fill.formatted(Bench.QUEUE, 1_000));
    bench.resetBlocks();
    purge(true, true);
    long alone = bench.blocks("%from ebb.job j%");
    bench.execute(fill.formatted("other", 50_000));
    bench.execute(fill.formatted(Bench.QUEUE, 1_000));
    bench.resetBlocks();

    assertThat(purge(true, true).purged()).isEqualTo(1_000);

    assertThat(bench.blocks("%from ebb.job j%")).isBetween(1L, 2 * alone);
  }
}
