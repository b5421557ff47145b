package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pool beside servers that fail. */
class DatabaseTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void a_pool_whose_first_connection_breaks_while_it_is_set_up_makes_others() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    try (CuttingProxy proxy =
            new CuttingProxy(TestPostgres.shared().port(), "SHOW TRANSACTION ISOLATION LEVEL", 1);
        Database database = Database.open(proxy.through(config))) {

      assertThat(isReached(database)).isTrue();
      assertThat(proxy.cutsLeft()).isZero();
    }
  }

  @Test
  void a_node_that_came_to_a_server_that_follows_writes_as_soon_as_its_way_leads_to_the_primary()
      throws Exception {
    DatabaseConfig primary = TestPostgres.shared().newDatabase();
    try (TestPostgres follower = TestPostgres.start()) {
      follower.execute(
          "create database " + TestPostgres.nameOf(primary) + " template ebb_template");
      follower.follow();
      try (CuttingProxy proxy = new CuttingProxy(follower.port());
          Database database = Database.open(proxy.through(primary))) {
        assertThat(submits(database)).isFalse();

        proxy.leadTo(TestPostgres.shared().port());

        assertThat(submitsInTime(database)).isTrue();
      }
    }
  }

  @Test
  void a_connection_that_cannot_write_is_not_kept() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    try (Database database = TestPostgres.open(config)) {
      assertThat(submits(database)).isTrue();
      makeReadOnly(database);
      assertThat(submits(database)).isFalse();

      assertThat(submitsInTime(database)).isTrue();
    }
  }

  /** As a server does that is a standby for a while without ending its sessions. */
  private static void makeReadOnly(Database database) throws SQLException {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < database.config().poolSize(); i++) {
      all.add(database.connection());
    }
    for (Connection connection : all) {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute("set default_transaction_read_only = on");
      }
    }
  }

  @Test
  void a_server_that_takes_no_more_connections_is_waited_for() throws Exception {
    TestPostgres.shared()
        .execute("create role crowded login password 'crowded' connection limit 0");
    String url = TestPostgres.shared().newDatabase().url();
    try (Database database = Database.open(DatabaseConfig.of(url, "crowded", "crowded"))) {
      assertThatThrownBy(database::connection).hasMessageContaining("too many connections");

      TestPostgres.shared().execute("alter role crowded connection limit 10");

      assertThat(isReached(database)).isTrue();
    }
  }

  @Test
  void a_password_in_a_file_is_read_for_each_connection(@TempDir Path folder) throws Exception {
    TestPostgres postgres = TestPostgres.shared();
    postgres.execute("create role rotated login password 'before'");
    Path file = Files.writeString(folder.resolve("password"), "before\n");
    DatabaseConfig config =
        DatabaseConfig.of(postgres.newDatabase().url(), "rotated", null).withPasswordFile(file);
    try (Database database = TestPostgres.open(config)) {
      postgres.execute("alter role rotated password 'after'");
      postgres.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotated'");
      assertThatThrownBy(database::dedicatedConnection).hasMessageContaining("rotated");
      Files.delete(file);
      assertThatThrownBy(database::dedicatedConnection)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("cannot be read");

      Files.writeString(file, "after\n");

      assertThat(isReached(database)).isTrue();
      database.dedicatedConnection().close();
    }
  }

  @Test
  void who_asks_while_there_is_no_connection_is_told_so_before_three_seconds_are_over()
      throws Exception {
    DatabaseConfig nowhere = DatabaseConfig.of("jdbc:postgresql://127.0.0.1:1/ebb", null, null);
    try (Database database = Database.open(nowhere)) {
      Throwable told =
          Judged.within(
              Duration.ofSeconds(3),
              "a connection is refused",
              TestPostgres.shared().config("postgres"),
              () -> catchThrowable(database::connection));

      assertThat(told).hasMessageContaining("127.0.0.1:1 refused");
    }
  }

  private static boolean submits(Database database) {
    try {
      new JobQueue(database).submit(List.of(NewJob.of("echo", "{}")));
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean submitsInTime(Database database) {
    return inTime(() -> submits(database));
  }

  private static boolean isReached(Database database) {
    return inTime(() -> {
      try (Connection connection = database.connection()) {
        return connection.isValid(5);
      } catch (SQLException e) {
        return false;
      }
    });
  }

  private static boolean inTime(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - deadline < 0) {
      if (condition.getAsBoolean()) {
        return true;
      }
    }
    return false;
  }
}
