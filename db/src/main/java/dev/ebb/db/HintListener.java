package dev.ebb.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The hearer of wake-up hints, on a connection and a thread of its own. */
public final class HintListener implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final int WAIT_MILLIS = 2_000;
  private static final int WAITS_PER_CHECK = 15;

  private final Database database;
  private final Consumer<String> onWork;
  private final Runnable onCancel;
  private final Thread thread;
  private Duration pause = FIRST_PAUSE;

  /** Listens until closed; after a lost connection it comes back by itself. */
  public HintListener(Database database, Consumer<String> onWork, Runnable onCancel) {
    this.database = database;
    this.onWork = onWork;
    this.onCancel = onCancel;
    this.thread = Thread.ofVirtual().name("ebb-hint-listener").start(this::run);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try (Connection connection = database.dedicatedConnection()) {
        listen(connection);
      } catch (SQLException e) {
        pause = pauseAfter(pause);
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("listen " + Hints.CHANNEL);
    }
    pause = FIRST_PAUSE;
    PGConnection notifications = connection.unwrap(PGConnection.class);
    while (!Thread.currentThread().isInterrupted()) {
      for (int waits = 0; waits < WAITS_PER_CHECK; waits++) {
        hear(notifications.getNotifications(WAIT_MILLIS));
      }
      check(connection);
    }
  }

  /** Who only listens does not notice that the other side is gone. */
  private static void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("");
    }
  }

  private void hear(PGNotification @Nullable [] notifications) {
    if (notifications == null) {
      return;
    }
    for (PGNotification notification : notifications) {
      for (String queue : notification.getParameter().split(",", -1)) {
        if (queue.equals(Hints.CANCEL)) {
          onCancel.run();
        } else {
          onWork.accept(queue);
        }
      }
    }
  }

  private static Duration pauseAfter(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Duration next = pause.multipliedBy(2);
    return next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
