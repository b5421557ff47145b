package dev.ebb.db.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.loop.FailureLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the notifier and the listener do about a failure, and at their end. */
class NotificationFailureTest {
  private static final String BAD = "bad";
  private static final String END_ALL =
      """
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
      """;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FailureLog failureLog = new FailureLog(meters);
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final DatabaseConfig config = TestPostgres.shared().newDatabase();

  private void hear(String queue) {
    heard.add(queue);
    if (queue.equals(BAD)) {
      throw new IllegalStateException("a bug");
    }
  }

  private static void none() {}

  /** What nobody listens to is lost, so it is sent until it is heard. */
  private void sendUntilHeard(Notifier notifier, String queue) throws InterruptedException {
    String last = null;
    for (int tries = 0; tries < 600 && !queue.equals(last); tries++) {
      notifier.workArrived(queue);
      last = heard.poll(100, TimeUnit.MILLISECONDS);
    }
    assertThat(last).isEqualTo(queue);
  }

  private double failures(String part) {
    return meters.counter("ebb.failures", "part", part).count();
  }

  @Test
  void a_lost_connection_is_counted_and_both_sides_come_back() throws Exception {
    try (Database database = TestPostgres.open(config);
        Notifier notifier = new Notifier(database, failureLog);
        NotificationListener _ = listener(database)) {
      sendUntilHeard(notifier, "before");
      assertThat(failures("notifier") + failures("listener")).isZero();

      endAll(database);

      sendUntilHeard(notifier, "after");
      assertThat(failures("notifier")).isPositive();
      assertThat(failures("listener")).isPositive();
    }
  }

  @Test
  void a_bug_in_what_listens_is_counted_and_the_listener_goes_on() throws Exception {
    try (Database database = TestPostgres.open(config);
        Notifier notifier = new Notifier(database, failureLog);
        NotificationListener _ = listener(database)) {
      sendUntilHeard(notifier, BAD);
      sendUntilHeard(notifier, "good");

      assertThat(failures("listener")).isPositive();
      assertThat(failures("notifier")).isZero();
    }
  }

  @Test
  void what_a_notifier_was_told_before_it_was_closed_is_still_sent() throws Exception {
    try (Database database = TestPostgres.open(config);
        NotificationListener listener = listener(database)) {
      Await.until("it listens", () -> listener.listensBy() > 0);
      Notifier notifier = new Notifier(database, failureLog);
      notifier.workArrived("first");
      assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("first");

      notifier.workArrived("last");
      notifier.close();

      assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("last");
    }
  }

  private NotificationListener listener(Database database) {
    return new NotificationListener(
        database,
        failureLog,
        this::hear,
        NotificationFailureTest::none,
        NotificationFailureTest::none,
        NotificationFailureTest::none);
  }

  private static void endAll(Database database) throws SQLException {
    try (Connection connection = database.dedicatedConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(END_ALL);
    }
  }
}
