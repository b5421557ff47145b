package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that takes writes is not for that reason Ebb's database. */
class IdentityTest {
  private static final UUID ORIGIN = new UUID(0, 1);
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = Instant.parse("2026-02-01T00:00:00Z");
  private static final Identity KNOWN = new Identity(ORIGIN, FIRST, 7, 2);

  private final DatabaseConfig config = TestPostgres.shared().newDatabase();

  @Test
  void it_is_the_same_system_on_the_same_timeline_or_a_later_one() {
    assertThat(new Identity(ORIGIN, FIRST, 7, 2).whyNot(KNOWN)).isNull();
    assertThat(new Identity(ORIGIN, FIRST, 7, 3).whyNot(KNOWN)).isNull();
    assertThat(new Identity(ORIGIN, FIRST, 7, 1).whyNot(KNOWN))
        .isEqualTo("it is an old primary: it is on timeline 1, and timeline 2 was seen");
    assertThat(new Identity(ORIGIN, FIRST, -1, 2).whyNot(KNOWN))
        .isEqualTo(
            "it is another database: its system identifier is 18446744073709551615, and Ebb's is"
                + " 7");
  }

  @Test
  void what_was_confirmed_later_is_it_whatever_it_is_and_what_was_confirmed_before_is_not() {
    assertThat(new Identity(ORIGIN, LATER, 8, 1).whyNot(KNOWN)).isNull();
    assertThat(KNOWN.whyNot(new Identity(ORIGIN, LATER, 7, 2))).contains("an older copy");
    assertThat(new Identity(null, Instant.EPOCH, 8, 5).whyNot(KNOWN)).contains("another database");
    assertThat(new Identity(null, Instant.EPOCH, 7, 2).whyNot(KNOWN)).isNull();
    assertThat(new Identity(new UUID(0, 2), LATER, 7, 2).whyNot(KNOWN))
        .contains("another database");
  }

  @Test
  void a_migrated_database_says_which_it_is() throws Exception {
    try (Database database = TestPostgres.open(config)) {
      Identity known = Objects.requireNonNull(database.identity());
      assertThat(known.timeline()).isOne();
      assertThat(known.confirmedAt()).isAfter(Instant.EPOCH);
    }
  }

  @Test
  void a_database_that_was_moved_to_another_system_is_refused_until_people_confirm_it()
      throws Exception {
    execute("update ebb.identity set system_identifier = 1");
    try (Database database = Database.open(config)) {
      assertThatThrownBy(database::dedicatedConnection)
          .hasMessageContaining("it is another database")
          .hasMessageContaining("./ebb confirm");
      assertThat(submits(database)).isFalse();

      Confirmation.confirm(config);

      Await.until("the pool connects", () -> submits(database));
      database.dedicatedConnection().close();
    }
  }

  @Test
  void a_database_that_says_it_was_promoted_since_is_refused() throws Exception {
    execute("update ebb.identity set timeline = 2");
    try (Database database = Database.open(config)) {
      assertThatThrownBy(database::dedicatedConnection).hasMessageContaining("an old primary");
    }
  }

  @Test
  void a_way_that_leads_to_another_system_is_not_gone(@TempDir Path folder) throws Exception {
    try (TestPostgres other = TestPostgres.start()) {
      other.execute("create database " + TestPostgres.nameOf(config) + " template ebb_template");
      try (CuttingProxy proxy = new CuttingProxy(TestPostgres.shared().port());
          Database database = TestPostgres.open(proxy.through(config).withMemory(folder))) {
        assertThat(submits(database)).isTrue();
        proxy.leadTo(other.port());
        // A connection that was being made still leads to the first server.
        Await.until(
            "none is left",
            () -> {
              execute(
                  "select pg_terminate_backend(pid) from pg_stat_activity"
                      + " where application_name = 'ebb' and datname = current_database()");
              return !submits(database);
            });

        assertThatThrownBy(database::dedicatedConnection).isInstanceOf(SQLException.class);
        assertThat(database.strangers()).singleElement().satisfies(this::isAnother);
        try (Database afterRestart = Database.open(proxy.through(config).withMemory(folder));
            Database forgetful = Database.open(proxy.through(config))) {
          assertThat(submits(afterRestart)).isFalse();
          assertThat(jobs(other)).isZero();
          // The control: without what was seen before, nothing tells the two apart.
          assertThat(submits(forgetful)).isTrue();
          assertThat(jobs(other)).isOne();
        }
      }
    }
  }

  private long jobs(TestPostgres server) throws SQLException {
    try (Connection connection = TestPostgres.connect(server.config(TestPostgres.nameOf(config)));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from ebb.job")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void isAnother(Stranger stranger) {
    assertThat(stranger.why()).startsWith("it is another database");
  }

  @Test
  void nodes_that_know_another_database_go_over_to_one_that_is_confirmed(@TempDir Path folder)
      throws Exception {
    Path known = folder.resolve("known");
    TestPostgres.open(config.withMemory(known)).close();
    Path file = only(known);
    Files.writeString(file, Files.readString(file).replaceAll("timeline=1", "timeline=3"));
    try (Database database = Database.open(config.withMemory(known))) {
      assertThat(submits(database)).isFalse();

      Confirmation.confirm(config);

      Await.until("the pool connects", () -> submits(database));
    }
    assertThat(Files.readString(file)).contains("timeline=1");
  }

  @Test
  void to_confirm_one_of_several_servers_is_refused() {
    String two = config.url().replaceFirst("127.0.0.1", "localhost:1,127.0.0.1");
    assertThatThrownBy(() -> Confirmation.confirm(config.withUrl(two)))
        .hasMessageContaining("must name one server");
  }

  @Test
  void a_broken_or_missing_memory_is_no_memory(@TempDir Path folder) throws Exception {
    TestPostgres.open(config.withMemory(folder)).close();
    Files.writeString(only(folder), "timeline=many");
    try (Database database = TestPostgres.open(config.withMemory(folder))) {
      assertThatCode(() -> database.connection().close()).doesNotThrowAnyException();
    }
    Path unwritable = Files.writeString(folder.resolve("file"), "").resolve("folder");
    try (Database database = TestPostgres.open(config.withMemory(unwritable))) {
      assertThatCode(() -> database.connection().close()).doesNotThrowAnyException();
    }
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean submits(Database database) {
    try {
      new JobQueue(database).submit(List.of(NewJob.builder("k", "{}").build()));
      return true;
    } catch (SQLException e) {
      return false;
    }
  }
}
