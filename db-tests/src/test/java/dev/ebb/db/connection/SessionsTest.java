package dev.ebb.db.connection;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers leave behind while commits wait for a standby that is away. */
class SessionsTest {
  private static final int POOL = 2;

  private TestPostgres postgres;
  private DatabaseConfig config;

  @BeforeEach
  void start() {
    postgres = TestPostgres.start();
    config = postgres.newDatabase().withPoolSize(POOL).withStatementTimeout(Duration.ofMillis(200));
    postgres.execute("alter system set synchronous_standby_names = 'nobody'");
    postgres.execute("select pg_reload_conf()");
  }

  @AfterEach
  void stop() {
    postgres.close();
  }

  @Test
  void sessions_that_were_given_up_while_a_commit_waits_are_ended() throws Exception {
    try (Database database = Database.open(config)) {
      for (int round = 0; round < 2; round++) {
        submitInVain(database);
        database.look();
        Await.until("none waits", () -> waiting() == 0);
      }
    }
  }

  /** The control. */
  @Test
  void without_that_each_round_of_callers_leaves_sessions_behind() throws Exception {
    try (Database database = Database.open(config)) {
      Await.until(
          "more wait than the pool holds",
          () -> {
            submitInVain(database);
            return waiting() > POOL;
          });
    }
  }

  private static void submitInVain(Database database) throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    for (int caller = 0; caller < POOL; caller++) {
      callers.add(Thread.ofPlatform().start(() -> submit(database)));
    }
    for (Thread caller : callers) {
      caller.join();
    }
  }

  private static void submit(Database database) {
    try {
      new JobQueue(database).submit(List.of(NewJob.builder("k", "{}").build()));
    } catch (SQLException e) {
      return;
    }
    throw new AssertionError("it was stored");
  }

  private long waiting() throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where wait_event = 'SyncRep'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
