package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.schema.ServerFacts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The heart of Ebb on the oldest PostgreSQL; {@code -Ppostgres15} runs every test there. */
class OldestServerTest {
  private static TestPostgres postgres;

  private Bench bench;

  @BeforeAll
  static void start() {
    postgres = TestPostgres.oldest();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @BeforeEach
  void open() {
    bench = new Bench(postgres.newDatabase().withStatementTimeout(Duration.ofSeconds(30)));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void it_is_the_oldest_server_that_migrations_accept() throws SQLException {
    ServerFacts facts = ServerFacts.read(bench.database);

    assertThat(facts.version() / 10_000).isEqualTo(Migrations.OLDEST_SERVER);
    assertThat(Migrations.installed(bench.database)).isEqualTo(Migrations.NEEDED);
    assertThat(facts.timeouts().areSet()).isTrue();
  }

  @Test
  void jobs_are_claimed_in_order_retried_completed_and_given_up() throws SQLException {
    UUID second = bench.submit(job(7));
    UUID first = bench.submit(job(3));

    ClaimedJob failing = bench.claimOne();
    ClaimedJob dying = bench.claimOne();
    assertThat(List.of(failing.job().id(), dying.job().id())).containsExactly(first, second);
    assertThat(bench.retryAtOnce(failing)).isTrue();
    assertThat(bench.deadLetter(dying)).isTrue();
    assertThat(bench.complete(bench.claimOne())).isTrue();

    assertThat(bench.complete(failing)).as("behind the fence").isFalse();
    assertThat(bench.reads.find(first).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
    assertThat(bench.reads.find(second).orElseThrow().state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(bench.attempts(first)).hasSize(2);
  }

  private static NewJob job(int priority) {
    return NewJob.builder("echo", "{}").priority(priority).policy(Presets.policy("sip")).build();
  }

  @Test
  void a_worker_that_is_lost_loses_its_jobs_to_others() throws SQLException {
    UUID id = bench.submitOne();
    ClaimedJob lost = bench.claimOne();

    bench.expireLeases();

    assertThat(bench.rescueAll()).isEqualTo(1);
    assertThat(bench.complete(lost)).isFalse();
    assertThat(bench.claimOne().job().id()).isEqualTo(id);
  }

  @Test
  void a_claim_gets_what_the_limiter_permits() throws SQLException {
    new Queues(bench.database)
        .put(
            Bench.QUEUE,
            new QueueSettings(false, null, RateLimit.of(0.5, Duration.ZERO, 1), null),
            true,
            Bench.ACT);
    bench.jobs.submit(Collections.nCopies(100, NewJob.of("echo", "{}")));

    ClaimAnswer answer =
        new Claimer(bench.database)
            .claim(
                ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), 50, Bench.LEASE), List.of());

    assertThat(answer.lease().map(Lease::jobs).orElseThrow()).hasSize(1);
    assertThat(answer.limited()).isTrue();
  }

  @Test
  void a_submit_by_sql_refuses_what_is_no_json_and_duplicate_keys() throws SQLException {
    bench.execute("select ebb.submit('echo', '{\"a\": {\"b\": 1e99999}, \"b\": \"a:\"}')");
    bench.execute("select ebb.submit_many('[{\"kind\": \"echo\", \"payload\": [{\"a\": 1}]}]')");
    assertThat(bench.claim(9).jobs()).hasSize(2);

    for (String payload :
        List.of("{", "{\"a\": 1, \"a\": 1}", "[{\"a\": {\"b\": 1, \"\\u0062\": 2}}]")) {
      assertThatThrownBy(() -> bench.execute("select ebb.submit('echo', '" + payload + "')"))
          .hasMessageContaining("must be one JSON value without duplicate keys");
    }
  }

  @Test
  void an_id_of_an_older_server_is_like_one_of_the_newest() throws SQLException {
    assertIdsAreOfVersion7(bench, "ebb.uuidv7()");
    try (Bench tested = new Bench()) {
      boolean hasItsOwn =
          tested.count("pg_proc where oid = to_regprocedure('pg_catalog.uuidv7()')") > 0;
      assertIdsAreOfVersion7(tested, hasItsOwn ? "uuidv7()" : "ebb.uuidv7()");
      assertThat(tested.count("pg_proc where oid = to_regprocedure('ebb.uuidv7()')"))
          .as("made beside what the server has")
          .isEqualTo(hasItsOwn ? 0 : 1);
    }
  }

  private static void assertIdsAreOfVersion7(Bench bench, String function) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                select i.id, clock_timestamp() as later, now() as earlier, ebb.made_at(i.id) as at
                from (select %s as id from generate_series(1, 20000) offset 0) i
                """
                    .formatted(function))) {
      while (rows.next()) {
        UUID id = rows.getObject("id", UUID.class);
        Instant at = rows.getTimestamp("at").toInstant();
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(at).isEqualTo(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16));
        assertThat(at)
            .isAfterOrEqualTo(rows.getTimestamp("earlier").toInstant().minusMillis(1))
            .isBeforeOrEqualTo(rows.getTimestamp("later").toInstant());
        ids.add(id);
      }
    }
    assertThat(ids.stream().map(UUID::toString)).isSorted().doesNotHaveDuplicates();
    assertThat(ids.stream().mapToLong(id -> id.getMostSignificantBits() & 0xfff).distinct())
        .as("fractions of a millisecond")
        .hasSizeGreaterThan(500);
  }
}
