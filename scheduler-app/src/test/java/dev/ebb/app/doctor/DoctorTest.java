package dev.ebb.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.settings.SecretFile;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.schema.ServerFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final DatabaseConfig CONFIG =
      DatabaseConfig.of("jdbc:postgresql://127.0.0.1/ebb", null, null);
  private static final ServerFacts HEALTHY =
      new ServerFacts(
          180_006,
          false,
          "UTF8",
          true,
          "on",
          true,
          new ServerFacts.Timeouts(
              Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(1)),
          90,
          Duration.ZERO,
          0,
          NOW);

  @Test
  void nothing_is_found_on_a_healthy_server() {
    assertThat(complaints(HEALTHY)).isEmpty();
  }

  @Test
  void every_fact_that_is_wrong_is_told_with_its_remedy() {
    ServerFacts ill =
        new ServerFacts(
            170_002,
            true,
            "SQL_ASCII",
            false,
            "off",
            false,
            new ServerFacts.Timeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO),
            3,
            Duration.ofHours(1),
            2,
            NOW.plusSeconds(7));

    assertThat(complaints(ill))
        .containsExactly(
            "fail  PostgreSQL 17.2: Ebb needs PostgreSQL 18 or newer",
            "fail  server is a standby: let EBB_DB_URL name the primary",
            "fail  encoding is SQL_ASCII: create the database with encoding UTF8",
            "fail  fsync is off: a crash loses everything: set fsync = on",
            "fail  synchronous_commit is off: do not switch it off in the proxy or role:"
                + " acknowledged jobs could be lost",
            "warn  no timeouts are in force on pooled connections: for a role that only Ebb uses, run"
                + " alter role ... set ... with each of statement_timeout = 5000,"
                + " idle_in_transaction_session_timeout = 1000, transaction_timeout = 15000 and"
                + " tcp_user_timeout = 2500",
            "warn  the server takes 3 more connections, this node may need 17: raise"
                + " max_connections, lower EBB_DB_POOL, or use a pooling proxy",
            "warn  clocks are 7000 ms apart: synchronise them by NTP: the database's clock decides,"
                + " logs show this machine's",
            "warn  a transaction has been open for 3600 s: find it in pg_stat_activity: while it"
                + " lasts, dead rows pile up",
            "warn  2 replication slots have no reader: drop them, or bring back their"
                + " readers, before the disk is full");
  }

  @Test
  void a_pooling_proxy_is_recognised_by_its_refusal() {
    SQLException refusal = new SQLException("FATAL: unsupported startup parameter: options");

    assertThat(Doctor.unreachable(CONFIG, refusal).line()).contains("set EBB_DB_POOLER=true");
  }

  @Test
  void an_old_java_and_an_open_address_are_told() {
    assertThat(Doctor.java(24).line()).isEqualTo("fail  Java 24: run on a JDK 25");
    assertThat(Doctor.address("0.0.0.0", true).line())
        .startsWith("fail  0.0.0.0 can be reached by others")
        .contains("EBB_AUTH=on");
    assertThat(Doctor.address("0.0.0.0", false).line()).isEqualTo("ok    0.0.0.0 asks for tokens");
    assertThat(Doctor.address("127.0.0.1", false).level()).isEqualTo(Finding.Level.OK);
    assertThat(Doctor.address("127.0.0.1", true).level()).isEqualTo(Finding.Level.OK);
  }

  @Test
  void a_password_file_that_others_may_read_is_told(@TempDir Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path path = Files.writeString(folder.resolve("password"), "hush");
    SecretFile file = new SecretFile(path);

    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Doctor.secret(file).line())
        .isEqualTo("warn  other users can read " + path + ": chmod 600 " + path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    assertThat(Doctor.secret(file).line()).isEqualTo("ok    other users cannot read " + path);
  }

  @Test
  void a_real_migrated_server_passes_and_an_empty_one_fails() {
    Run healthy = examine(TestPostgres.shared().newDatabase());
    assertThat(healthy.exitCode()).isZero();
    assertThat(healthy.text())
        .contains("ok    PostgreSQL 18.", "ok    schema is current", "ok    timeouts are in force")
        .doesNotContain("fail");

    Run empty = examine(TestPostgres.shared().newBareDatabase());
    assertThat(empty.exitCode()).isEqualTo(1);
    assertThat(empty.text()).contains("fail  schema is missing: run ./ebb migrate");
  }

  @Test
  void an_unreachable_database_is_told_without_a_stack_trace() {
    String url = "jdbc:postgresql://127.0.0.1:1,localhost:1/ebb?sslpassword=hunter2";

    Run run = examine(DatabaseConfig.of(url, null, null));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .contains("fail  database at 127.0.0.1:1,localhost:1/ebb cannot be used")
        .doesNotContain("\tat ", "hunter2");
  }

  @Test
  void a_schema_of_another_version_is_told_with_both_versions() {
    int needed = Migrations.NEEDED;

    assertThat(Doctor.schema(needed - 1).line())
        .isEqualTo(
            "fail  schema is at version %d, this program needs %d: run ./ebb migrate"
                .formatted(needed - 1, needed));
    assertThat(Doctor.schema(needed + 1).line())
        .isEqualTo(
            "warn  schema is at version %d, newer than the %d of this program: upgrade this program"
                .formatted(needed + 1, needed));
  }

  private record Run(int exitCode, String text) {}

  private static Run examine(DatabaseConfig database) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Settings settings = Settings.read(Map.of()).withDatabase(database, false);
    int exitCode = Doctor.examine(settings, new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Run(exitCode, out.toString(StandardCharsets.UTF_8));
  }

  private static List<String> complaints(ServerFacts facts) {
    return Doctor.server(facts, CONFIG, NOW).stream()
        .filter(finding -> finding.level() != Finding.Level.OK)
        .map(Finding::line)
        .toList();
  }
}
