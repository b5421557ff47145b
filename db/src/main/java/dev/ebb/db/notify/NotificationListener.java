package dev.ebb.db.notify;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Listens for the notifications of {@link Notifier}, on a connection and a thread of its own. */
public final class NotificationListener implements AutoCloseable {
  private static final String NAME = "listener";
  private static final int WAIT_MILLIS = 2_000;
  private static final int WAITS_PER_CHECK = 15;

  private final Database database;
  private final FailureLog failureLog;
  private final Consumer<String> onWork;
  private final Runnable onCancel;
  private final Runnable onDrain;
  private final Runnable onOperation;
  private final Thread thread;
  private int failures;
  private int connections;
  private volatile int listensBy;
  private volatile boolean closed;
  private volatile @Nullable Connection listening;

  /** Listens until closed; after a failure it says so and reconnects. */
  public NotificationListener(
      Database database,
      FailureLog failureLog,
      Consumer<String> onWork,
      Runnable onCancel,
      Runnable onDrain,
      Runnable onOperation) {
    this.database = database;
    this.failureLog = failureLog;
    this.onWork = onWork;
    this.onCancel = onCancel;
    this.onDrain = onDrain;
    this.onOperation = onOperation;
    this.thread = Thread.ofPlatform().name("ebb-listener").daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      try (Connection connection = database.dedicatedConnection()) {
        listening = connection;
        listen(connection);
      } catch (SQLException | RuntimeException | Error e) {
        listensBy = 0;
        pauseAfter(e);
      }
    }
  }

  /**
   * The number of the connection by which it listens; 0 while it does not. If it changed,
   * notifications in between may have been lost.
   */
  public int listensBy() {
    return listensBy;
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("listen " + Notifier.CHANNEL);
    }
    failures = 0;
    connections++;
    listensBy = connections;
    failureLog.recovered(NAME, "");
    PGConnection notifications = connection.unwrap(PGConnection.class);
    while (!closed) {
      for (int waits = 0; waits < WAITS_PER_CHECK && !closed; waits++) {
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
          case Notifier.OPERATION -> onOperation.run();
          default -> onWork.accept(queue);
        }
      }
    }
  }

  private void pauseAfter(Throwable failure) {
    if (closed) {
      return;
    }
    failures++;
    failureLog.failed(NAME, "", failure);
    try {
      Thread.sleep(Pause.length(failures));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the wait for notifications, which no interrupt of a platform thread does. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Connection connection = listening;
    try {
      if (connection != null) {
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // It is gone either way.
    }
  }
}
