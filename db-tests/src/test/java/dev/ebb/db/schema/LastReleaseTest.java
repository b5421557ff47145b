package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.NewestServer;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.named.Policies;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of the last release on the schema of this one, beside nodes of this one. */
@NewestServer
class LastReleaseTest {
  private static final long LEASE_MICROS = 60_000_000;
  private static final String[] FROM_THE_BEGINNING =
      Collections.nCopies(10, "-infinity").toArray(String[]::new);
  private static final UUID[] LEAST_IDS =
      Collections.nCopies(10, new UUID(0, 0)).toArray(UUID[]::new);

  private Bench bench;
  private Connection connection;
  private LastRelease old;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    connection = TestPostgres.connect(bench.config);
    old = new LastRelease(connection);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    bench.close();
  }

  @Test
  void every_statement_finds_its_tables_and_columns() {
    assertThat(LastRelease.verbs())
        .hasSizeGreaterThan(50)
        .allSatisfy(verb -> assertThatCode(() -> old.describe(verb)).doesNotThrowAnyException());
  }

  @Test
  void the_statements_of_this_version_can_be_told_for_the_next() throws Exception {
    assertThat(CopyStatements.ofThisVersion())
        .hasSizeGreaterThan(50)
        .containsKeys(
            "Submit.INSERT", "Due.ANY", "Take.TAKE", "Complete.COMPLETE", "RedriveJobs.REDRIVE");
  }

  @Test
  void control_a_column_that_was_taken_away_is_noticed() throws SQLException {
    bench.execute("alter table ebb.lease drop column progress cascade");

    assertThatThrownBy(() -> old.describe("JobQueue.REPORT")).isInstanceOf(SQLException.class);
  }

  @Test
  void control_a_new_rule_that_the_last_release_breaks_is_noticed() throws SQLException {
    bench.execute("alter table ebb.limiter add check (cut_factor < 0.5)");

    assertThatThrownBy(this::writeLimiter).hasMessageContaining("check");
  }

  private void submit(UUID id) throws SQLException {
    old.run(
        "Submit.INSERT",
        new String[] {Bench.QUEUE},
        16,
        new UUID[] {id},
        new String[] {Bench.QUEUE},
        new String[] {"echo"},
        new Short[] {(short) 5},
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        new String[] {"{}"});
  }

  private static Object[] parameters(Object[] first, Object... others) {
    return Stream.of(first, others).flatMap(Arrays::stream).toArray();
  }

  /** What a claim is told, and whether it is of a queue with limits. */
  private static Object[] claimParameters(boolean limited) {
    return new Object[] {
      FROM_THE_BEGINNING,
      LEAST_IDS,
      Bench.QUEUE,
      new Long[0],
      Bench.QUEUE,
      new String[] {"echo"},
      1,
      Bench.QUEUE,
      limited,
      1,
      Bench.QUEUE,
      "old",
      LEASE_MICROS,
      LEASE_MICROS
    };
  }

  /** Claims one job, and answers the lease's id. */
  private long claim() throws SQLException {
    connection.setAutoCommit(false);
    Object[] lock = {"250ms", "1s", Bench.QUEUE, Bench.QUEUE};
    List<List<@Nullable Object>> rows =
        old.run("Claim.CLAIM", parameters(lock, claimParameters(false)));
    connection.setAutoCommit(true);
    return leaseId(rows);
  }

  private long claimLimited() throws SQLException {
    connection.setAutoCommit(false);
    assertThat(old.run("Limiters.LOCK_AND_READ", "250ms", "1s", Bench.QUEUE, true, Bench.QUEUE))
        .hasSize(1);
    List<List<@Nullable Object>> rows = old.run("Claim.TAKE", claimParameters(true));
    writeLimiter();
    connection.commit();
    connection.setAutoCommit(true);
    return leaseId(rows);
  }

  private static long leaseId(List<List<@Nullable Object>> rows) {
    assertThat(rows).hasSize(1);
    return (long) Objects.requireNonNull(rows.getFirst().get(2));
  }

  private List<List<@Nullable Object>> lock(UUID id, int version, long lease) throws SQLException {
    UUID[] ids = {id};
    return old.run(
        "Settle.LOCK", new Long[] {lease}, ids, new Integer[] {version}, new Long[] {lease}, ids);
  }

  private void complete(UUID id, int version, long lease) throws SQLException {
    connection.setAutoCommit(false);
    UUID[] ids = {id};
    Long[] leases = {lease};
    List<List<@Nullable Object>> refused =
        old.run(
            "Complete.COMPLETE",
            leases,
            ids,
            new Integer[] {version},
            leases,
            new Long[] {5L},
            new Long[] {3L},
            null,
            ids,
            leases);
    connection.setAutoCommit(true);
    assertThat(refused).isEmpty();
  }

  private void recordAttempt(UUID id, String outcome) throws SQLException {
    old.run(
        "SettleOthers.RECORD_ATTEMPTS",
        new UUID[] {id},
        new Integer[] {1},
        new String[] {outcome},
        new String[] {"http_500"},
        new String[] {"no"},
        new Long[] {5L},
        new Long[] {3L},
        new String[] {"old"},
        null);
  }

  private void putBack(UUID id, int version) throws SQLException {
    old.run(
        "SettleOthers.PUT_BACK",
        new UUID[] {id},
        new Integer[] {version},
        new Integer[] {1},
        new Integer[] {0},
        new Long[] {0L},
        new Long[] {0L},
        new UUID[] {id});
  }

  @Test
  void a_job_runs_from_submit_to_history() throws SQLException {
    UUID id = UUID.randomUUID();
    submit(id);
    long lease = claim();
    Long[] leases = {lease};
    assertThat(old.run("Renew.PATIENTLY", leases, LEASE_MICROS, leases)).hasSize(1);
    assertThat(lock(id, 0, lease)).hasSize(1);
    putBack(id, 0);
    recordAttempt(id, "failed");
    old.run("Settle.END_LEASES", (Object) new Long[] {lease});
    old.run("JobActions.RETRY_NOW", id, Bench.QUEUE);

    complete(id, 2, claim());

    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("completed");
    assertThat(bench.attempts(id)).hasSize(2);
    assertThat(old.run("JobReads.FIND", id)).hasSize(1);
    assertThat(old.run("AttemptReads.PAGE", id, id, id, null, null, 10, 10, 1000)).hasSize(2);
  }

  @Test
  void a_job_dies_comes_back_and_is_cancelled() throws SQLException {
    UUID id = UUID.randomUUID();
    submit(id);
    long lease = claim();
    String[] text = {"http_500"};
    old.run(
        "SettleOthers.DEAD_LETTER",
        new UUID[] {id},
        new Integer[] {0},
        text,
        text,
        text,
        new Long[] {5L},
        new String[] {"old"},
        new UUID[] {id});
    old.run("Settle.END_LEASES", (Object) new Long[] {lease});
    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("dead_letter");
    assertThat(old.run("JobActions.REDRIVE", id)).hasSize(1);
    claim();
    old.run("JobActions.REQUEST_CANCEL", id, Bench.QUEUE);
    assertThat(old.run("JobQueue.CANCEL_REQUESTED")).hasSize(1);

    old.run(
        "SettleOthers.CANCEL",
        new UUID[] {id},
        new Integer[] {1},
        new Long[] {5L},
        new String[] {"old"},
        null,
        new UUID[] {id});

    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("cancelled");
  }

  @Test
  void what_one_release_claimed_the_other_settles_and_rescues() throws SQLException {
    UUID mine = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    complete(mine, claimed.version(), claimed.fencingToken());
    UUID theirs = UUID.randomUUID();
    submit(theirs);
    claim();
    bench.expireLeases();
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    assertThat(old.run("Rescue.EXPIRED", now, 5, 5)).hasSize(1);

    assertThat(bench.rescueAll()).isEqualTo(1);

    assertThat(bench.reads.find(theirs).orElseThrow().attempt()).isEqualTo(1);
  }

  @Test
  void a_held_job_is_shown_but_not_claimed_and_a_retry_ends_its_hold() throws SQLException {
    UUID id = bench.submitOne();
    bench.changes.act(id, new JobAction.Hold(null), new Act("ada", null, null, null));

    connection.setAutoCommit(false);
    Object[] lock = {"250ms", "1s", Bench.QUEUE, Bench.QUEUE};
    assertThat(old.run("Claim.CLAIM", parameters(lock, claimParameters(false)))).isEmpty();
    connection.setAutoCommit(true);
    assertThat(old.run("JobReads.FIND_NEW", id).getFirst()).contains("available");

    old.run("JobActions.RETRY_NOW", id, Bench.QUEUE);

    assertThat(bench.reads.find(id).orElseThrow().hold()).isNull();
    claim();
  }

  private void writeLimiter() throws SQLException {
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    old.run("Limiters.WRITE", Bench.QUEUE, 1.0, now, 1.0, 0.5, now, now, "on");
  }

  @Test
  void a_queue_has_its_limits() throws SQLException {
    old.run("Queues.PUT", Bench.QUEUE, false, null, "{\"permitsPerSecond\": 10}", 3);
    old.run("Queues.SET_PAUSED", "another", true);
    submit(UUID.randomUUID());
    claimLimited();

    RateLimit limit = RateLimit.of(10, Duration.ZERO, RateLimit.DEFAULT_COLD_FACTOR);
    assertThat(new Limiters(bench.database).find(Bench.QUEUE).orElseThrow().rate())
        .isEqualTo(limit);
    assertThat(new Queues(bench.database).find("another")).isPresent();
  }

  private QueueView queue() throws SQLException {
    return new Queues(bench.database).find(Bench.QUEUE).orElseThrow();
  }

  private QueueView.Pause pause() throws SQLException {
    return Objects.requireNonNull(queue().pause());
  }

  @Test
  void a_pause_lasts_although_the_one_before_had_an_end() throws SQLException {
    Queues queues = new Queues(bench.database);
    queues.pause(Bench.QUEUE, Instant.now().plus(Duration.ofHours(1)), Bench.ACT);
    old.run("Queues.SET_PAUSED", Bench.QUEUE, true);
    assertThat(pause().until()).isNull();

    queues.pause(Bench.QUEUE, Instant.now().plus(Duration.ofHours(1)), Bench.ACT);
    bench.execute("update ebb.queue set paused_until = now()");
    assertThat(queue().settings().paused()).isFalse();
    old.run("Queues.PUT", Bench.QUEUE, true, null, null, 3);

    assertThat(pause().until()).isNull();
    assertThat(pause().by()).isNull();
  }

  @Test
  void a_pause_of_this_release_keeps_its_end_whatever_is_written_beside_it() throws SQLException {
    Queues queues = new Queues(bench.database);
    Instant end = Instant.parse("2100-01-01T00:00:00Z");
    queues.pause(Bench.QUEUE, end, Bench.ACT);
    queues.pause(Bench.QUEUE, end, Bench.ACT);
    queues.put(Bench.QUEUE, QueueSettings.of(true, null), true, Bench.ACT);

    assertThat(pause().until()).isEqualTo(end);
    assertThat(pause().by()).isEqualTo(Bench.ACT.actor());
  }

  @Test
  void a_queue_whose_policy_is_replaced_follows_no_other() throws SQLException {
    Policies policies = new Policies(bench.database);
    RetryPolicy policy = Presets.policy("sip");
    policies.put("named", policy, Bench.ACT, _ -> {});
    QueueSettings follows =
        new QueueSettings(false, null, "named", null, null, null, null, Map.of());
    new Queues(bench.database).put(Bench.QUEUE, follows, true, Bench.ACT);
    String same = PolicyJson.write(policy).toString();
    old.run("Queues.PUT", Bench.QUEUE, false, same, null, 3);
    assertThat(queue().settings().policyName()).isEqualTo("named");

    String another = PolicyJson.write(Presets.policy("default")).toString();
    old.run("Queues.PUT", Bench.QUEUE, false, another, null, 3);

    assertThat(queue().settings().policyName()).isNull();
  }

  @Test
  void a_dead_letter_without_its_payload_is_not_redriven() throws SQLException {
    UUID id = bench.submitOne();
    bench.deadLetter(bench.claimOne());
    new JobChanges(bench.database).erase(id, Bench.ACT);

    assertThatThrownBy(() -> old.run("JobActions.REDRIVE", id))
        .hasMessageContaining("job_payload_not_erased");

    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("dead_letter");
  }

  @Test
  void the_days_of_the_history_are_made_and_dropped() throws SQLException {
    old.run("Partitions.MOVE_HISTORY", 10);
    old.run("Partitions.MOVE_ATTEMPTS", 10);
    old.run("Partitions.MAKE", 9);
    assertThat(old.run("Partitions.DROP", 14)).containsExactly(List.of(false));
    old.run("Partitions.PRUNE_HISTORY", 14, 10);
    old.run("Partitions.PRUNE_ATTEMPTS", 14, 10);
    UUID id = bench.submit(NewJob.of("echo", "{}"));

    assertThat(old.run("JobReads.FIND_NEW", id)).hasSize(1);
  }
}
