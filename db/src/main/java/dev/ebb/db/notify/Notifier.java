package dev.ebb.db.notify;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the workers of new work: after a commit, from a connection and a thread of its own, so
 * that no submit waits for the lock that NOTIFY takes at its commit. Under load one NOTIFY names
 * all queues that got work in the last few milliseconds (see {@link Pacing}).
 *
 * <p>A notification may be lost at any time; the workers poll as well. So its commit does not wait
 * for the disk.
 */
public final class Notifier implements AutoCloseable {
  static final String CHANNEL = "ebb";

  /** Stands for a cancel; no queue can have this name. */
  static final String CANCEL = "!";

  /**
   * Stands for a drain that somebody asked for or took back, or for a start resumed; no queue can
   * have this name.
   */
  static final String DRAIN = "!drain";

  /** Stands for an operation that was started or resumed; no queue can have this name. */
  static final String OPERATION = "!operation";

  private static final String NAME = "notifier";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);
  private static final int MOST_PER_NOTIFY = 100;

  private static final String NOTIFY =
      """
      select set_config('synchronous_commit', 'off', true), pg_notify(?, ?)
      """;

  private final Database database;
  private final FailureLog failureLog;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final Semaphore somePending = new Semaphore(0);
  private final Thread sender;
  private volatile boolean closed;
  private @Nullable Connection connection;

  /** Sends until closed, and tells the log what it could not send. */
  public Notifier(Database database, FailureLog failureLog) {
    this.database = database;
    this.failureLog = failureLog;
    this.sender = Thread.ofPlatform().name("ebb-notifier").daemon().start(this::send);
  }

  /** Says that the queue has work. Returns at once. */
  public void workArrived(String queue) {
    if (pending.add(queue)) {
      somePending.release();
    }
  }

  /** Says that somebody asked a running job to stop. Returns at once. */
  public void cancelRequested() {
    workArrived(CANCEL);
  }

  /** Says that somebody asked a node to drain, or nodes to claim again. Returns at once. */
  public void drainChanged() {
    workArrived(DRAIN);
  }

  /** Says that an operation was started or resumed. Returns at once. */
  public void operationStarted() {
    workArrived(OPERATION);
  }

  private void send() {
    Pacing pacing = new Pacing(System.nanoTime());
    try {
      while (!closed) {
        somePending.acquire();
        somePending.drainPermits();
        Duration pause = pacing.untilNext(System.nanoTime());
        Thread.sleep(notifyPending() ? pause : PAUSE_AFTER_FAILURE);
      }
      var _ = notifyPending();
    } catch (InterruptedException e) {
      // It was told to give up.
    }
    disconnect();
  }

  /** A notification that cannot be sent is dropped: the workers will poll. */
  private boolean notifyPending() {
    List<String> queues = List.copyOf(pending);
    // One by one: what is added meanwhile stays for the next time.
    queues.forEach(pending::remove);
    try {
      for (int from = 0; from < queues.size(); from += MOST_PER_NOTIFY) {
        int to = Math.min(queues.size(), from + MOST_PER_NOTIFY);
        notify(String.join(",", queues.subList(from, to)));
      }
      failureLog.recovered(NAME, "");
      return true;
    } catch (SQLException | RuntimeException | Error e) {
      failureLog.failed(NAME, "", e);
      disconnect();
      return false;
    }
  }

  private void notify(String queues) throws SQLException {
    if (connection == null) {
      connection = database.dedicatedConnection();
    }
    try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setString(1, CHANNEL);
      statement.setString(2, queues);
      statement.execute();
    }
  }

  private void disconnect() {
    Connection closing = connection;
    connection = null;
    try {
      if (closing != null) {
        closing.close();
      }
    } catch (SQLException e) {
      // It is gone either way.
    }
  }

  /** Sends what is pending, for at most a second. */
  @Override
  public void close() {
    closed = true;
    somePending.release();
    try {
      var _ = sender.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.interrupt();
  }
}
