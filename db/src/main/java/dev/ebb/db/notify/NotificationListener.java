package dev.ebb.db.notify;

import dev.ebb.core.retry.Growth;
import dev.ebb.db.connection.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Listens for the notifications of {@link Notifier}, on a connection and a thread of its own. */
public final class NotificationListener implements AutoCloseable {
  private static final Growth PAUSES = new Growth(Duration.ofMillis(250), 2, Duration.ofSeconds(2));
  private static final int WAIT_MILLIS = 2_000;
  private static final int WAITS_PER_CHECK = 15;

  private final Database database;
  private final Consumer<String> onWork;
  private final Runnable onCancel;
  private final Runnable onDrain;
  private final Thread thread;
  private int failures;

  /** Listens until closed; after a lost connection it reconnects. */
  public NotificationListener(
      Database database, Consumer<String> onWork, Runnable onCancel, Runnable onDrain) {
    this.database = database;
    this.onWork = onWork;
    this.onCancel = onCancel;
    this.onDrain = onDrain;
    this.thread = Thread.ofVirtual().name("ebb-listener").start(this::run);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try (Connection connection = database.dedicatedConnection()) {
        listen(connection);
      } catch (SQLException e) {
        failures++;
        pause();
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("listen " + Notifier.CHANNEL);
    }
    failures = 0;
    PGConnection notifications = connection.unwrap(PGConnection.class);
    while (!Thread.currentThread().isInterrupted()) {
      for (int waits = 0; waits < WAITS_PER_CHECK; waits++) {
        handle(notifications.getNotifications(WAIT_MILLIS));
      }
      check(connection);
    }
  }

  /** A connection that only listens does not notice that the other side is gone. */
  private static void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("");
    }
  }

  private void handle(PGNotification @Nullable [] notifications) {
    if (notifications == null) {
      return;
    }
    for (PGNotification notification : notifications) {
      for (String queue : notification.getParameter().split(",", -1)) {
        switch (queue) {
          case Notifier.CANCEL -> onCancel.run();
          case Notifier.DRAIN -> onDrain.run();
          default -> onWork.accept(queue);
        }
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSES.ceiling(failures));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
