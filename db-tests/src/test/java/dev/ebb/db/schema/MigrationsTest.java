package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.schedule.Schedules;
import dev.ebb.db.view.JobPage;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationsTest {
  @Test
  void the_version_that_is_needed_is_that_of_the_newest_migration() throws Exception {
    assertThat(
            Packaged.names().stream()
                .filter(name -> name.startsWith("dev/ebb/db/migration/V"))
                .mapToInt(MigrationsTest::version)
                .max())
        .hasValue(Migrations.NEEDED);
  }

  private static int version(String migration) {
    return Integer.parseInt(migration.replaceAll(".*/V(\\d+)__.*", "$1"));
  }

  @Test
  void the_version_of_a_schema_is_told_and_that_of_no_schema_is_zero() throws Exception {
    try (Database migrated = TestPostgres.open(TestPostgres.shared().newDatabase());
        Database bare = TestPostgres.open(TestPostgres.shared().newBareDatabase())) {
      assertThat(Migrations.installed(migrated)).isEqualTo(Migrations.NEEDED);
      assertThat(Migrations.installed(bare)).isZero();
    }
  }

  @Test
  void of_several_servers_the_one_that_takes_writes_is_migrated() throws Exception {
    DatabaseConfig bare = TestPostgres.shared().newBareDatabase();
    String name = TestPostgres.nameOf(bare);
    try (TestPostgres follower = TestPostgres.start()) {
      follower.execute("create database " + name);
      follower.follow();
      String both = "127.0.0.1:" + follower.port() + ",127.0.0.1:" + TestPostgres.shared().port();
      DatabaseConfig config =
          DatabaseConfig.of("jdbc:postgresql://" + both + "/" + name, bare.user(), bare.password());

      assertThat(Migrations.migrate(config)).isPositive();
    }
  }

  @Test
  void a_schema_of_a_later_version_is_told_and_left_as_it_is() throws Exception {
    try (Bench bench = new Bench()) {
      bench.execute(
          """
          insert into ebb.flyway_schema_history
            (installed_rank, version, description, type, script, installed_by, execution_time,
            success)
          values (99, '99', 'later', 'SQL', 'V99__later.sql', 'test', 1, true)
          """);

      assertThat(Migrations.installed(bench.database)).isEqualTo(99);
      assertThat(Migrations.migrate(bench.config)).isZero();
    }
  }

  @Test
  void a_migration_that_failed_does_not_count() throws Exception {
    try (Bench bench = new Bench()) {
      bench.execute(
          "update ebb.flyway_schema_history set success = false where version::integer > 2");

      assertThat(Migrations.installed(bench.database)).isEqualTo(2);
    }
  }

  @Test
  void a_schedule_keeps_its_job_when_that_becomes_one_document() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newBareDatabase();
    migrateTo("25", config);
    NewJob bare = NewJob.of("echo", "{\"a\" : 1.50,\"\\u0000\":\"\\\"\"}");
    NewJob full =
        bare.toBuilder()
            .queue("slow")
            .priority(2)
            .maxAttempts(7)
            .policy(Presets.policy("sip"))
            .uniqueKey("{schedule}")
            .timeout(Duration.ofMillis(1_234))
            .labels(Map.of("team", "payments"))
            .build();
    try (Database database = TestPostgres.open(config)) {
      insertAsColumns(database, "bare", bare);
      insertAsColumns(database, "full", full);

      Migrations.migrate(config);

      Schedules schedules = new Schedules(database);
      assertThat(schedules.find("bare").orElseThrow().schedule().template()).isEqualTo(bare);
      assertThat(schedules.find("full").orElseThrow().schedule().template()).isEqualTo(full);
    }
  }

  @Test
  void a_migration_that_alters_jobs_waits_for_no_reader_of_events() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newBareDatabase();
    migrateTo("30", config);
    try (Database database = TestPostgres.open(config)) {
      database.inTransaction(connection -> {
        Statements.run(connection, "set local idle_in_transaction_session_timeout = 0", _ -> {});
        Statements.list(connection, "select id from ebb.event", _ -> {}, row -> row.getString(1));
        migrateTo("34", config);
        return Statements.list(
            connection, "select id from ebb.every_job", _ -> {}, row -> row.getString(1));
      });
    }

    assertThat(Migrations.migrate(config)).isPositive();
  }

  @Test
  void jobs_of_before_are_found_by_their_ordering_keys_whatever_became_of_them() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newBareDatabase();
    migrateTo("48", config);
    try (Bench bench = new Bench(config)) {
      bench.execute(
          """
          insert into ebb.job (
            queue, kind, priority, run_at, max_attempts, payload, ordering_key, ordering_number)
          values ('q', 'echo', 5, now(), 3, '1', 'k', nextval('ebb.ordering_number'));
          insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node,
            run_at, created_at, version, attempt, max_attempts, priority, queue, kind, payload,
            ordering_key)
          values (
            uuidv7(), 'r', 'f', 'f', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'echo', '1', 'k');
          insert into ebb.history (id, run_at, created_at, attempt, max_attempts, priority,
            cancelled, queue, kind, ordering_key)
          values (uuidv7(), now(), now(), 1, 3, 5, false, 'q', 'echo', 'k')
          """);

      Migrations.migrate(config);

      JobFilter keyed = JobQuery.read("ordering:k", new FilterBuilder()).build();
      JobPage.PageRequest page = new JobPage.PageRequest(JobOrder.NEWEST, false, null, 9);
      assertThat(bench.reads.list(keyed, page).jobs())
          .extracting(JobView::state)
          .containsExactlyInAnyOrder(JobState.AVAILABLE, JobState.DEAD_LETTER, JobState.COMPLETED);
    }
  }

  private static void migrateTo(String version, DatabaseConfig config) {
    Migrations.flyway(config).target(version).load().migrate();
  }

  private static void insertAsColumns(Database database, String name, NewJob job)
      throws SQLException {
    database.inTransaction(connection ->
        Statements.update(
            connection,
            """
            insert into ebb.schedule (
              name, cron, origin, zone, excluded_weekdays, excluded_dates, excluded_yearly,
              kind, queue, payload, priority, max_attempts, policy, unique_key, timeout_millis,
              labels, misfire, most_misfires, overlap)
            values (
              ?, '0 9 * * *', now(), 'UTC', '{}', '{}', '{}',
              ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?::jsonb, 'once', 100, 'allow')
            """,
            p ->
                p.text(name)
                    .text(job.kind())
                    .text(job.queue())
                    .text(job.payload())
                    .integer(job.priority())
                    .integer(job.maxAttempts())
                    .text(job.policy() == null ? null : PolicyJson.write(job.policy()).toString())
                    .text(job.uniqueKey())
                    .integer(job.timeout() == null ? null : (int) job.timeout().toMillis())
                    .text(StoredSettings.text(job.labels()))));
  }

  @Test
  void nothing_is_migrated_through_a_pooling_proxy() {
    DatabaseConfig pooled = TestPostgres.shared().newBareDatabase().behindPooler();

    assertThatThrownBy(() -> Migrations.migrate(pooled)).isInstanceOf(InvalidInput.class);
  }
}
