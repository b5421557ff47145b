package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
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
  void nothing_is_migrated_through_a_pooling_proxy() {
    DatabaseConfig pooled = TestPostgres.shared().newBareDatabase().behindPooler();

    assertThatThrownBy(() -> Migrations.migrate(pooled)).isInstanceOf(InvalidInput.class);
  }
}
