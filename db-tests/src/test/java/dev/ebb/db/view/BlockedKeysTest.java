package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.BlockedKeys.BlockedKey;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which ordering keys of a queue wait, for which jobs, and what it costs to tell. */
class BlockedKeysTest {
  private static final Duration DAY = Duration.ofDays(1);

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private UUID submit(String key) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").orderingKey(key).build());
  }

  private BlockedKeys found() throws SQLException {
    return bench.reads.blockedKeys(Bench.QUEUE);
  }

  private List<String> keys() throws SQLException {
    return found().longest().stream().map(BlockedKey::key).toList();
  }

  /** Runs what is due: it fails, and is due again in a day. */
  private void fail() throws SQLException {
    Settlement retry = new Settlement.Retry(DAY, Bench.failure("http_500"));
    for (Optional<Lease> lease = bench.tryClaim(1); lease.isPresent(); lease = bench.tryClaim(1)) {
      assertThat(bench.fail(lease.get().jobs().getFirst(), retry)).isTrue();
    }
  }

  @Test
  void a_key_that_waits_has_its_first_job_and_what_is_behind_that() throws SQLException {
    UUID first = submit("order-4711");
    submit("order-4711");
    submit("order-4711");
    submit("order-4712");
    bench.submitOne();
    fail();

    BlockedKeys found = found();

    assertThat(found.keys()).isOne();
    assertThat(found.exact()).isTrue();
    BlockedKey key = found.longest().getFirst();
    assertThat(key.key()).isEqualTo("order-4711");
    assertThat(key.waiting()).isEqualTo(2);
    assertThat(key.exact()).isTrue();
    assertThat(key.until()).isNull();
    assertThat(key.since()).isBeforeOrEqualTo(found.asOf());
    assertThat(key.first().id()).isEqualTo(first);
    assertThat(key.first().state()).isEqualTo(JobState.AVAILABLE);
    assertThat(key.first().attempt()).isOne();
    assertThat(key.first().times().runAt()).isAfter(found.asOf());
    assertThat(key.first().lastError()).isEqualTo(Bench.failure("http_500"));
    assertThat(bench.reads.blockedKeys("elsewhere").longest()).isEmpty();
  }

  @Test
  void the_key_comes_first_whose_next_job_waits_for_longest() throws SQLException {
    for (String key : List.of("a", "b", "c")) {
      submit(key);
      submit(key);
    }
    fail();
    bench.execute(
        """
        update ebb.job set held_run_at = held_run_at - interval '1 hour'
        where ordering_key = 'b' and blocked_version = version
        """);

    assertThat(keys()).containsExactly("b", "a", "c");
  }

  @Test
  void a_key_waits_no_longer_whose_first_job_was_skipped_or_has_ended() throws SQLException {
    UUID skipped = submit("a");
    submit("a");
    UUID cancelled = submit("b");
    submit("b");
    fail();
    assertThat(keys()).containsExactly("a", "b");

    bench.changes.act(skipped, new JobAction.Skip(), Bench.ACT);
    assertThat(keys()).containsExactly("b");
    bench.changes.act(cancelled, new JobAction.Cancel(), Bench.ACT);
    assertThat(found().keys()).isZero();
    assertThat(keys()).isEmpty();
  }

  @Test
  void a_hold_that_ends_says_when_and_is_over_then() throws SQLException {
    QueueSettings settings = QueueSettings.of(false, null).with(new Ordering(DAY));
    new Queues(bench.database).put(Bench.QUEUE, settings, true, Bench.ACT);
    submit("a");
    submit("a");
    fail();
    assertThat(found().longest().getFirst().until()).isAfter(found().asOf());

    bench.execute(
        """
        update ebb.job
        set blocks_until = blocks_until - interval '2 days',
          held_until = held_until - interval '2 days'
        """);

    assertThat(found().keys()).isZero();
  }

  /** Of each key two jobs, and of the last one many: none of them is behind a job that is gone. */
  private void park(int keys, int many) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (
          queue, kind, priority, run_at, max_attempts, payload, ordering_key, ordering_number)
        select 'default', 'echo', 5, now(), 16, '{}', 'key-' || i, nextval('ebb.ordering_number')
        from generate_series(1, %1$s) i;
        insert into ebb.job (
          queue, kind, priority, run_at, max_attempts, payload, ordering_key, ordering_number,
          version, blocked_version, held_version, held_until, held_run_at)
        select
          'default', 'echo', 5, 'infinity', 16, '{}', 'key-' || least(i, %1$s),
          nextval('ebb.ordering_number'), 1, 1, 1, 'infinity', now() - i * interval '1 ms'
        from generate_series(1, %2$s) i
        """
            .formatted(keys, many));
    bench.execute("vacuum analyze ebb.job");
  }

  @Test
  void it_costs_a_few_blocks_for_each_key_however_many_wait_behind_it() throws SQLException {
    bench.countBlocks();
    assertThat(found().keys()).isZero();
    park(10, 100_000);
    bench.resetBlocks();

    BlockedKeys few = found();

    assertThat(few.keys()).isEqualTo(10);
    BlockedKey crowded =
        few.longest().stream().filter(key -> key.key().equals("key-10")).findAny().orElseThrow();
    assertThat(crowded.waiting()).isEqualTo(BlockedReads.MOST_WAITING);
    assertThat(crowded.exact()).isFalse();
    assertThat(bench.blocks("%as blocked_keys%")).isBetween(1L, 2_500L);
  }

  private BlockedKeys foundOf(int most) throws SQLException {
    return bench.database.inAutocommit(
        connection -> BlockedReads.of(connection, Bench.QUEUE, most));
  }

  @Test
  void keys_that_were_not_looked_at_are_not_counted_as_none() throws SQLException {
    park(4, 4);
    bench.execute(
        "update ebb.job set held_until = now() where ordering_key < 'key-4' and version = 1");

    BlockedKeys cut = foundOf(3);
    assertThat(cut.keys()).isZero();
    assertThat(cut.exact()).isFalse();

    BlockedKeys all = foundOf(4);
    assertThat(all.keys()).isOne();
    assertThat(all.exact()).isTrue();
  }

  @Test
  void of_many_keys_those_are_shown_that_wait_for_longest() throws SQLException {
    bench.countBlocks();
    assertThat(found().keys()).isZero();
    park(BlockedReads.MOST_KEYS + 10, BlockedReads.MOST_KEYS + 10);
    bench.resetBlocks();

    BlockedKeys found = found();

    assertThat(found.exact()).isFalse();
    assertThat(found.keys()).isEqualTo(BlockedReads.MOST_KEYS);
    assertThat(found.longest()).hasSize(BlockedReads.SHOWN);
    assertThat(found.longest().getFirst().since()).isBefore(found.longest().getLast().since());
    assertThat(bench.blocks("%as blocked_keys%")).isBetween(1L, 12L * BlockedReads.MOST_KEYS);
  }
}
