package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of the last release on the schema of this one, beside nodes of this one. */
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
        .hasSizeGreaterThan(30)
        .allSatisfy(verb -> assertThatCode(() -> old.describe(verb)).doesNotThrowAnyException());
  }

  @Test
  void control_a_column_that_was_taken_away_is_noticed() throws SQLException {
    bench.execute("alter table ebb.lease drop column progress cascade");

    assertThatThrownBy(() -> old.describe("report-progress")).isInstanceOf(SQLException.class);
  }

  @Test
  void control_a_new_rule_that_the_last_release_breaks_is_noticed() throws SQLException {
    bench.execute("alter table ebb.limiter add check (cut_factor < 0.5)");

    assertThatThrownBy(this::writeLimiter).hasMessageContaining("check");
  }

  private void submit(UUID id) throws SQLException {
    old.run(
        "submit",
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

  /** The lease's id; the connection is in a transaction of its own until the claim's commit. */
  private long claim(boolean limited) throws SQLException {
    connection.setAutoCommit(false);
    old.run("claim-turn", Bench.QUEUE, Bench.QUEUE);
    List<List<@Nullable Object>> rows =
        old.run(
            "claim-take",
            FROM_THE_BEGINNING,
            LEAST_IDS,
            Bench.QUEUE,
            new Long[0],
            true,
            Bench.QUEUE,
            new String[] {"echo"},
            Bench.QUEUE,
            new String[] {"echo"},
            1,
            Bench.QUEUE,
            limited,
            1,
            Bench.QUEUE,
            "old",
            LEASE_MICROS);
    connection.commit();
    connection.setAutoCommit(true);
    assertThat(rows).hasSize(1);
    return (long) Objects.requireNonNull(rows.getFirst().get(2));
  }

  private List<List<@Nullable Object>> lock(UUID id, int version, long lease) throws SQLException {
    UUID[] ids = {id};
    return old.run(
        "settle-lock", new Long[] {lease}, ids, new Integer[] {version}, new Long[] {lease}, ids);
  }

  private void complete(UUID id, int version, long lease) throws SQLException {
    connection.setAutoCommit(false);
    UUID[] ids = {id};
    Long[] leases = {lease};
    List<List<@Nullable Object>> refused =
        old.run(
            "complete",
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
        "record-attempts",
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
        "put-back",
        new UUID[] {id},
        new Integer[] {version},
        new Integer[] {1},
        new Integer[] {0},
        new Boolean[] {true},
        new Long[] {0L},
        new UUID[] {id});
  }

  @Test
  void a_job_runs_from_submit_to_history() throws SQLException {
    UUID id = UUID.randomUUID();
    submit(id);
    long lease = claim(false);
    assertThat(old.run("renew", new Long[] {lease}, LEASE_MICROS)).hasSize(1);
    assertThat(lock(id, 0, lease)).hasSize(1);
    putBack(id, 0);
    recordAttempt(id, "failed");
    old.run("end-leases", (Object) new Long[] {lease});
    old.run("retry-now", id, Bench.QUEUE);

    complete(id, 2, claim(false));

    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("completed");
    assertThat(bench.attempts(id)).hasSize(2);
    assertThat(old.run("find", id)).hasSize(1);
    assertThat(old.run("attempts", id, id, id)).hasSize(2);
  }

  @Test
  void a_job_dies_comes_back_and_is_cancelled() throws SQLException {
    UUID id = UUID.randomUUID();
    submit(id);
    long lease = claim(false);
    String[] text = {"http_500"};
    old.run(
        "dead-letter",
        new UUID[] {id},
        new Integer[] {0},
        text,
        text,
        text,
        new Long[] {5L},
        new String[] {"old"},
        new UUID[] {id});
    old.run("end-leases", (Object) new Long[] {lease});
    assertThat(bench.reads.find(id).orElseThrow().state().word()).isEqualTo("dead_letter");
    assertThat(old.run("redrive", id)).hasSize(1);
    claim(false);
    old.run("request-cancel", id, Bench.QUEUE);
    assertThat(old.run("cancel-requested")).hasSize(1);

    old.run(
        "cancel-running",
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
    claim(false);
    bench.expireLeases();
    assertThat(old.run("expired", 5)).hasSize(1);

    assertThat(bench.rescueAll()).isEqualTo(1);

    assertThat(bench.reads.find(theirs).orElseThrow().attempt()).isEqualTo(1);
  }

  private void writeLimiter() throws SQLException {
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    old.run("limiter-write", Bench.QUEUE, 1.0, now, 1.0, 0.5, now, now, "on");
  }

  @Test
  void a_queue_has_its_limits() throws SQLException {
    old.run("queue-put", Bench.QUEUE, false, null, "{\"permitsPerSecond\": 10}", 3);
    old.run("queue-ensure", (Object) new String[] {"another"});
    writeLimiter();
    submit(UUID.randomUUID());
    connection.setAutoCommit(false);
    assertThat(old.run("limiter-turn-and-look", Bench.QUEUE, true, Bench.QUEUE)).hasSize(1);
    connection.commit();
    claim(true);

    RateLimit limit = RateLimit.of(10, Duration.ZERO, RateLimit.DEFAULT_COLD_FACTOR);
    assertThat(new Limiters(bench.database).find(Bench.QUEUE).orElseThrow().rate())
        .isEqualTo(limit);
    assertThat(new Queues(bench.database).find("another")).isPresent();
  }

  @Test
  void the_days_of_the_history_are_made_and_dropped() throws SQLException {
    old.run("partitions-make", 9);
    assertThat(old.run("partitions-drop", 14)).containsExactly(List.of(false));
    old.run("prune-history", 14);
    old.run("prune-attempts", 14);
    UUID id = bench.submit(NewJob.of("echo", "{}"));

    assertThat(old.run("find-new", id)).hasSize(1);
  }
}
