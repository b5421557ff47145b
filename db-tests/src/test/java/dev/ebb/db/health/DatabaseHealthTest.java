package dev.ebb.db.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figures;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Verdict;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Judged;
import dev.ebb.db.OldSnapshot;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of a real server. */
class DatabaseHealthTest {
  private Bench bench;
  private DatabaseHealth health;

  @BeforeEach
  void open() {
    bench = new Bench();
    health = new DatabaseHealth(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Optional<Transaction> found(String application) throws SQLException {
    return health.server().get(Figure.TRANSACTIONS).stream()
        .filter(one -> application.equals(one.application()))
        .findAny();
  }

  private static Finding finding(List<Finding> findings, String code) {
    return findings.stream().filter(one -> one.code().equals(code)).findAny().orElseThrow();
  }

  @Test
  void a_session_that_holds_a_snapshot_is_named_until_it_ends() throws SQLException {
    Connection report = OldSnapshot.of(bench.config, "report");

    Transaction held = found("report").orElseThrow();
    assertThat(held.pid()).isPositive();
    assertThat(held.role()).isEqualTo("postgres");
    assertThat(held.address()).isNotBlank();
    assertThat(held.state()).isEqualTo("idle in transaction");
    assertThat(held.own()).isFalse();
    assertThat(held.age()).isLessThan(Duration.ofMinutes(5));

    report.close();
    bench.awaitRow(
        "(select 1 where not exists (select from pg_stat_activity"
            + " where application_name = 'report')) gone",
        Duration.ofMinutes(1));
    assertThat(found("report")).isEmpty();
  }

  @Test
  void a_row_that_somebody_removed_leaves_the_other_figures() throws SQLException {
    bench.execute("delete from ebb.identity");

    Figures server = health.server();

    assertThat(server.unread(Figure.PRIMARY)).contains("a row is missing");
    assertThat(server.get(Figure.SERVER).connections()).isPositive();
  }

  @Test
  void a_session_without_a_snapshot_or_of_another_database_is_none() throws SQLException {
    DatabaseConfig other = TestPostgres.shared().newDatabase();
    try (Connection idle = TestPostgres.connect(bench.config);
        Connection elsewhere = OldSnapshot.of(other, "elsewhere")) {
      assertThat(idle.isValid(5) && elsewhere.isValid(5)).isTrue();

      assertThat(health.server().get(Figure.TRANSACTIONS)).isEmpty();
    }
  }

  @Test
  void a_slot_that_nobody_reads_is_named_with_the_log_that_it_keeps() throws SQLException {
    bench.execute("select pg_create_physical_replication_slot('forgotten', true)");
    try {
      Figures server = health.server();
      Slot slot =
          server.get(Figure.SLOTS).stream()
              .filter(one -> one.name().equals("forgotten"))
              .findAny()
              .orElseThrow();

      assertThat(slot.active()).isFalse();
      assertThat(slot.keptBytes()).isNotNegative();
      Finding finding = finding(Checkup.of(server), "idle_slots");
      assertThat(finding.verdict()).isEqualTo(Verdict.WARN);
      assertThat(finding.commands()).contains("select pg_drop_replication_slot('forgotten');");
    } finally {
      bench.execute("select pg_drop_replication_slot('forgotten')");
    }
  }

  @Test
  void dead_rows_that_no_vacuum_may_remove_are_found() throws SQLException {
    assertThat(finding(Checkup.of(health.schema()), "dead_rows").verdict()).isEqualTo(Verdict.OK);
    bench.execute("alter table ebb.lease set (autovacuum_enabled = off)");
    bench.execute(
        """
        insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids,
          versions, first_priority, last_priority, last_run_at)
        select 'q', 'n', now(), now(), 1, '{}', '{}', 0, 0, now() from generate_series(1, 12000)
        """);
    bench.execute("delete from ebb.lease; select pg_stat_force_next_flush()");

    Figures schema = health.schema();

    Finding dead = finding(Checkup.of(schema), "dead_rows");
    assertThat(dead.verdict()).isEqualTo(Verdict.WARN);
    assertThat(dead.summary()).contains("ebb.lease has 12,000 dead rows", "has never come");
    assertThat(dead.commands()).containsExactly("vacuum (verbose, analyze) ebb.lease;");
    assertThat(finding(Checkup.of(schema), "table_autovacuum").summary()).contains("ebb.lease");

    bench.execute("vacuum ebb.lease");
    bench.execute("alter table ebb.lease reset (autovacuum_enabled)");
    List<Finding> mended = Checkup.of(health.schema());
    assertThat(finding(mended, "dead_rows").verdict()).isEqualTo(Verdict.OK);
    assertThat(finding(mended, "table_autovacuum").verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void partitions_are_a_week_ahead_and_a_row_without_one_is_found() throws SQLException {
    List<Finding> well = Checkup.of(health.schema());
    assertThat(finding(well, "partitions_ahead").verdict()).isEqualTo(Verdict.OK);
    assertThat(finding(well, "default_partitions").verdict()).isEqualTo(Verdict.OK);

    bench.execute(
        """
        do $$
        declare part text;
        begin
          for part in
            select c.oid::regclass from pg_class c
            where c.relnamespace = 'ebb'::regnamespace and c.relname ~ '^attempt_[0-9]{8}$'
          loop
            execute 'drop table ' || part;
          end loop;
        end $$
        """);
    bench.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node)
        values (gen_random_uuid(), now(), now(), 1, 'failed', 'n');
        select pg_stat_force_next_flush()
        """);

    List<Finding> ill = Checkup.of(health.schema());
    assertThat(finding(ill, "partitions_ahead").verdict()).isEqualTo(Verdict.BAD);
    assertThat(finding(ill, "partitions_ahead").summary()).contains("ebb.attempt");
    assertThat(finding(ill, "default_partitions").summary()).startsWith("About 1 rows");
  }

  @Test
  void a_due_job_is_old_unless_its_queue_is_paused() throws SQLException {
    bench.submit(NewJob.of("echo", "{}"));
    bench.execute("update ebb.job set run_at = now() - interval '5 minutes'");

    assertThat(finding(Checkup.of(health.schema()), "oldest_due").verdict())
        .isEqualTo(Verdict.WARN);

    bench.execute("insert into ebb.queue (name, paused) values ('default', true)");
    assertThat(finding(Checkup.of(health.schema()), "oldest_due").verdict()).isEqualTo(Verdict.OK);
    bench.execute("update ebb.queue set paused_until = now() - interval '1 second'");
    assertThat(finding(Checkup.of(health.schema()), "oldest_due").verdict())
        .isEqualTo(Verdict.WARN);
  }

  @Test
  void a_wrong_clock_counts_as_long_as_its_node_lives() throws SQLException {
    bench.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency, skew_micros)
        values ('late', '1', 'h', '{}', '{echo}', 1, -2500000)
        """);

    Finding skew = finding(Checkup.of(health.schema()), "clock_skew");
    assertThat(skew.verdict()).isEqualTo(Verdict.WARN);
    assertThat(skew.summary()).isEqualTo("The clock of node late is 2 s behind the database's.");

    bench.execute("update ebb.node set stopped_at = now()");
    assertThat(finding(Checkup.of(health.schema()), "clock_skew").verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void a_schedule_that_nobody_fires_is_late_and_its_missing_trigger_is_named() throws SQLException {
    schedule("late", "now() - interval '30 seconds'");
    schedule("coming", "'2100-01-01T00:00:00Z'");
    schedule("paused", "now() - interval '1 day'");
    bench.execute(
        "update ebb.schedule set paused_since = now(), paused_by = 'me' where name = 'paused'");
    assertThat(finding(Checkup.of(health.schema()), "firing_nodes").verdict())
        .as("nodes have yet to see the first schedule")
        .isEqualTo(Verdict.OK);
    bench.execute("update ebb.schedule set created_at = created_at - interval '1 minute'");
    List<Finding> unserved = Checkup.of(health.schema());
    assertThat(finding(unserved, "late_schedules").verdict()).isEqualTo(Verdict.WARN);
    assertThat(finding(unserved, "late_schedules").summary()).contains("Schedule late should");
    assertThat(finding(unserved, "firing_nodes").verdict()).isEqualTo(Verdict.BAD);

    bench.execute(
        """
        insert into ebb.qrtz_scheduler_state
        values ('ebb', 'a', extract(epoch from now()) * 1000, 2000)
        """);
    List<Finding> served = Checkup.of(health.schema());
    assertThat(finding(served, "firing_nodes").verdict()).isEqualTo(Verdict.OK);
    assertThat(finding(served, "quartz_clocks").verdict()).isEqualTo(Verdict.OK);
    assertThat(finding(served, "quartz_triggers").summary()).contains("2100-01-01T00:00:00Z");

    bench.execute("update ebb.schedule set changed_at = now() where name = 'coming'");
    assertThat(finding(Checkup.of(health.schema()), "quartz_triggers").verdict())
        .isEqualTo(Verdict.OK);
  }

  @Test
  void a_node_that_lives_and_checks_in_by_a_wrong_clock_is_named() throws SQLException {
    bench.execute(
        """
        insert into ebb.qrtz_scheduler_state
        values
          ('ebb', 'right', extract(epoch from now()) * 1000, 2000),
          ('ebb', 'behind', extract(epoch from now()) * 1000 - 20000, 2000)
        """);
    assertThat(finding(Checkup.of(health.schema()), "quartz_clocks").verdict())
        .isEqualTo(Verdict.OK);

    bench.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('behind', '1', 'h', '{}', '{echo}', 1)
        """);

    Finding found = finding(Checkup.of(health.schema()), "quartz_clocks");
    assertThat(found.verdict()).isEqualTo(Verdict.WARN);
    assertThat(found.summary()).startsWith("Node behind lives");
  }

  private void schedule(String name, String nextFire) throws SQLException {
    bench.execute(
        """
        insert into ebb.schedule (
          name, every_seconds, origin, zone, excluded_weekdays, excluded_dates, excluded_yearly,
          job, misfire, most_misfires, overlap, next_fire_at, changed_at)
        values (
          '%s', 60, now(), 'UTC', '{}', '{}', '{}', '{}', 'once', 100,
          'allow', %s, now() - interval '1 minute')
        """
            .formatted(name, nextFire));
  }

  @Test
  void beside_a_table_that_is_locked_all_else_is_read_in_time() throws Exception {
    try (Connection locker = TestPostgres.connect(bench.config);
        Statement statement = locker.createStatement()) {
      locker.setAutoCommit(false);
      statement.execute("lock table ebb.job in access exclusive mode");

      Figures schema =
          Judged.within(
              Duration.ofSeconds(4),
              "the health beside a locked table",
              TestPostgres.shared().config("postgres"),
              health::schema);

      assertThat(schema.unread(Figure.DUE)).contains("a lock was not released in time");
      assertThat(schema.get(Figure.TABLES))
          .anySatisfy(table -> {
            assertThat(table.name()).isEqualTo("job");
            assertThat(table.bytes()).isNull();
          })
          .anySatisfy(table -> {
            assertThat(table.name()).isEqualTo("lease");
            assertThat(table.bytes()).isNotNull();
          });
      assertThat(finding(Checkup.of(schema), "oldest_due").verdict()).isEqualTo(Verdict.UNKNOWN);
      assertThat(finding(Checkup.of(schema), "size").summary())
          .startsWith("ebb.job cannot be read");
      assertThat(schema.orNull(Figure.CLOCKS)).isNotNull();
      locker.rollback();
    }
    assertThat(health.schema().orNull(Figure.DUE)).isNotNull();
  }

  @Test
  void a_role_that_may_not_see_others_calls_them_unknown_until_it_may() throws SQLException {
    String role = "blind_" + TestPostgres.nameOf(bench.config);
    bench.execute("create role " + role + " login password 'b'");
    bench.execute("grant usage on schema ebb to " + role);
    bench.execute("grant select on all tables in schema ebb to " + role);
    try (Connection held = OldSnapshot.of(bench.config, "report");
        Database blind = TestPostgres.open(DatabaseConfig.of(bench.config.url(), role, "b"))) {
      assertThat(held.isValid(5)).isTrue();
      DatabaseHealth seen = new DatabaseHealth(blind);

      Finding unknown = finding(Checkup.of(seen.server()), "oldest_transaction");
      assertThat(unknown.verdict()).isEqualTo(Verdict.UNKNOWN);
      assertThat(unknown.commands()).containsExactly("grant pg_monitor to " + role + ";");
      assertThat(seen.server().get(Figure.SERVER).connectionsUsed()).isGreaterThan(1);
      assertThat(seen.schema().unread()).isEmpty();

      bench.execute("grant pg_monitor to " + role);
      assertThat(seen.server().get(Figure.TRANSACTIONS))
          .anyMatch(one -> "report".equals(one.application()));
      assertThat(finding(Checkup.of(seen.server()), "oldest_transaction").verdict())
          .isEqualTo(Verdict.OK);
    } finally {
      bench.execute("drop owned by " + role + "; drop role " + role);
    }
  }

  @Test
  void it_reads_as_few_blocks_beside_many_rows() throws Exception {
    Await.until("it is read", () -> health.schema().orNull(Figure.DUE) != null);
    bench.countBlocks();
    long few = blocks();
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '1 day', 3, 5, 'default', 'echo', '{}'
        from generate_series(1, 100000)
        """);
    bench.execute("vacuum (analyze) ebb.job");

    assertThat(blocks()).isLessThan(few + 100);
  }

  private long blocks() throws SQLException {
    bench.resetBlocks();
    assertThat(health.server().unread()).isEmpty();
    assertThat(health.schema().unread()).isEmpty();
    return bench.blocks("%");
  }
}
