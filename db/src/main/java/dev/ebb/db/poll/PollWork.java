package dev.ebb.db.poll;

import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.NotificationListener;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** By what a process finds and claims the jobs that others poll for. */
public final class PollWork {
  private final Database database;

  public PollWork(Database database) {
    this.database = database;
  }

  /** One that has claimed nothing: its queues are always to be asked for the same kinds. */
  public Claimer claimer() {
    return new Claimer(database);
  }

  public WorkFinder finder() {
    return new WorkFinder(database);
  }

  /**
   * Begins to listen; {@code null} where a pooler lets no connection do so.
   *
   * @param onWork told of each queue that has work
   * @param onAsked told that somebody asked nodes to drain, or that a worker has stopped
   */
  public @Nullable NotificationListener listen(
      FailureLog failureLog, Consumer<String> onWork, Runnable onAsked) {
    return database.config().pooler()
        ? null
        : new NotificationListener(database, failureLog, onWork, () -> {}, onAsked, () -> {});
  }
}
