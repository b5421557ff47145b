package dev.ebb.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
  /** Unpacked once for all tests. */
  @TempDir(cleanup = CleanupMode.ALWAYS)
  private static Path unpacked;

  @TempDir(cleanup = CleanupMode.ALWAYS)
  private Path folder;

  @BeforeEach
  void unpack() throws IOException {
    Files.createSymbolicLink(folder.resolve("postgresql"), Binaries.unpackedIn(unpacked));
  }

  @Test
  void what_is_committed_is_on_disk_and_is_there_after_a_restart() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(ask(postgres, "show server_version_num")).startsWith("18");
      assertThat(ask(postgres, "show synchronous_commit")).isEqualTo("on");
      assertThat(ask(postgres, "show fsync")).isEqualTo("on");
      assertThat(ask(postgres, "show full_page_writes")).isEqualTo("on");
      assertThat(ask(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
      ask(postgres, "create table ebb.kept as select 42 as answer; select 1");
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(ask(postgres, "select answer from ebb.kept")).isEqualTo("42");
    }
  }

  @Test
  void a_server_that_a_killed_demo_left_behind_is_stopped_and_started_anew() throws Exception {
    EmbeddedPostgres left = EmbeddedPostgres.start(folder);
    ask(left, "create table ebb.kept as select 42 as answer; select 1");

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(postgres.url()).isNotEqualTo(left.url());
      assertThat(ask(postgres, "select answer from ebb.kept")).isEqualTo("42");
    }
  }

  @Test
  void a_killed_servers_pid_file_does_not_stand_in_the_way() throws Exception {
    EmbeddedPostgres killed = EmbeddedPostgres.start(folder);
    ask(killed, "create table ebb.kept as select 42 as answer; select 1");
    kill(postmaster());

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(ask(postgres, "select answer from ebb.kept")).isEqualTo("42");
    }
  }

  @Test
  void a_start_that_fails_is_told_in_one_sentence_with_a_way_out() throws IOException {
    Files.createDirectories(folder.resolve("data"));

    CannotStart refused =
        catchThrowableOfType(CannotStart.class, () -> EmbeddedPostgres.start(folder));

    assertThat(refused.sentence()).contains("postgres: ").contains("EBB_DB_URL");
    assertThat(refused.sentence().lines()).hasSize(1);
  }

  private long postmaster() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("data/postmaster.pid"));
    return Long.parseLong(lines.getFirst());
  }

  private static void kill(long pid) throws Exception {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> sessions = process.children().toList();
    process.destroyForcibly();
    for (ProcessHandle one : sessions) {
      one.onExit().get(Duration.ofSeconds(30).toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
    }
  }

  private static Connection connect(EmbeddedPostgres postgres, String password)
      throws SQLException {
    return DriverManager.getConnection(postgres.url(), postgres.user(), password);
  }

  private static String ask(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres, postgres.password());
        Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      while (!rows) {
        rows = statement.getMoreResults();
      }
      try (ResultSet result = statement.getResultSet()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
