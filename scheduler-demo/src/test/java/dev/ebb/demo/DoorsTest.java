package dev.ebb.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import dev.ebb.db.view.JobReads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Who gets into the demo's database, which every user of the machine can reach. */
class DoorsTest {
  private static final String OWNED_ELSEWHERE =
      """
      select count(*)
      from pg_shdepend d
      left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
      where d.refobjid = 'ebb'::regrole and d.deptype = 'o'
        and c.relnamespace not in ('ebb'::regnamespace, 'pg_toast'::regnamespace)
      """;

  private static final String NOT_HANDED_OVER =
      """
      select
        (select count(*) from pg_class
         where relnamespace = 'ebb'::regnamespace and relowner <> 'ebb'::regrole)
        + (select count(*) from pg_proc
           where pronamespace = 'ebb'::regnamespace and proowner <> 'ebb'::regrole)
        + (select count(*) from pg_type
           where typnamespace = 'ebb'::regnamespace and typowner <> 'ebb'::regrole)
        + (select count(*) from pg_namespace
           where nspname = 'ebb' and nspowner <> 'ebb'::regrole)
      """;

  /** Unpacked once for all tests. */
  @TempDir(cleanup = CleanupMode.ALWAYS)
  private static Path unpacked;

  @TempDir(cleanup = CleanupMode.ALWAYS)
  private Path home;

  private Path folder;

  @BeforeEach
  void take() throws IOException {
    folder = Files.createDirectory(home.resolve("demo"));
    Files.createSymbolicLink(folder.resolve("postgresql"), Binaries.unpackedIn(unpacked));
  }

  @Test
  void nobody_connects_without_the_password_and_nobody_as_the_superuser() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(refusal(postgres, "ebb", null)).contains("password");
      assertThat(refusal(postgres, "ebb", "")).contains("password");
      assertThat(refusal(postgres, "ebb", "guess")).contains("password");
      assertThat(refusal(postgres, "postgres", null)).contains("password");
      assertThat(refusal(postgres, "postgres", postgres.password())).contains("password");

      assertThat(ask(config(postgres), "select current_user::text")).isEqualTo("ebb");
    }
  }

  @Test
  void the_password_stands_in_a_file_of_its_user_alone_and_is_drawn_anew_where_it_is_lost()
      throws Exception {
    Path file = folder.resolve("password");
    String first;
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      first = postgres.password();
      assertThat(Files.readString(file).strip()).isEqualTo(first).hasSizeGreaterThan(40);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    Files.delete(file);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(postgres.password()).isNotEqualTo(first);
      assertThat(refusal(postgres, "ebb", first)).contains("password");
      assertThat(ask(config(postgres), "select 1")).isEqualTo("1");
    }
  }

  @Test
  void the_role_owns_the_schema_and_runs_no_program() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      Migrations.migrate(config(postgres));

      assertThat(ask(config(postgres), "select rolsuper from pg_roles where rolname = 'ebb'"))
          .isEqualTo("f");
      assertThat(ask(config(postgres), OWNED_ELSEWHERE)).isEqualTo("0");
      for (String statement :
          List.of(
              "copy ebb.limiter from program 'true'",
              "select pg_read_file('postgresql.conf')",
              "create table public.mine (id integer)",
              "create database mine",
              "create role mine")) {
        assertThat(refusal(config(postgres), statement)).as(statement).contains("permission");
      }
    }
  }

  @Test
  void a_folder_of_before_keeps_its_jobs_and_loses_its_open_doors() throws Exception {
    UUID id;
    Programs programs = EmbeddedPostgres.programs(folder);
    DatabaseConfig open = startAsBefore(programs);
    try (Database database = Database.open(open)) {
      Migrations.migrate(open);
      id = new JobQueue(database).submit(List.of(NewJob.of("echo", "{}"))).getFirst().id();
      RateLimit limit = RateLimit.of(20, Duration.ofSeconds(10), 4);
      new Queues(database)
          .put("demo", new QueueSettings(false, null, limit, null), true, Bench.ACT);
      assertThat(ask(open, "select rolsuper from pg_roles where rolname = current_user"))
          .isEqualTo("t");
    }
    stopAsBefore(programs);

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder);
        Database database = Database.open(config(postgres))) {
      assertThat(refusal(postgres, "postgres", null)).contains("password");
      assertThat(Migrations.migrate(config(postgres))).isZero();
      assertThat(ask(config(postgres), NOT_HANDED_OVER)).isEqualTo("0");
      assertThat(new JobReads(database).find(id).orElseThrow().state())
          .isEqualTo(JobState.AVAILABLE);
      assertThat(new JobChanges(database).act(id, new JobAction.Cancel(), Bench.ACT))
          .isEqualTo(ActionResult.DONE);
      assertThat(new Limiters(database).find("demo")).isPresent();
      assertThat(new Partitions(database).roll(Retention.of(14))).isEqualTo(Partitions.Step.DONE);
    }
  }

  /**
   * As the demo did while all of it belonged to the superuser, and anybody could log in as that.
   */
  private DatabaseConfig startAsBefore(Programs programs) throws IOException {
    String data = folder.resolve("data").toString();
    int port = TestPostgres.freePort();
    programs.run("initdb", "-A", "trust", "-U", "postgres", "-D", data, "-E", "UTF8", "--locale=C");
    String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''";
    programs.run(
        "pg_ctl", "-D", data, "-l", programs.output().toString(), "-o", options, "-w", "start");
    return DatabaseConfig.of("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", null);
  }

  private void stopAsBefore(Programs programs) throws IOException {
    programs.run("pg_ctl", "-D", folder.resolve("data").toString(), "-m", "fast", "-w", "stop");
  }

  private static DatabaseConfig config(EmbeddedPostgres postgres) {
    return DatabaseConfig.of(postgres.url(), postgres.user(), postgres.password());
  }

  private static String refusal(EmbeddedPostgres postgres, String user, @Nullable String password) {
    return refusal(DatabaseConfig.of(postgres.url(), user, password), "select 1");
  }

  private static String refusal(DatabaseConfig config, String sql) {
    try {
      ask(config, sql);
    } catch (SQLException refused) {
      return String.valueOf(refused.getMessage());
    }
    throw new AssertionError(config + " may " + sql);
  }

  private static String ask(DatabaseConfig config, String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet result = statement.getResultSet()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
