package dev.ebb.db;

import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a job is, for the actions of people. */
final class JobPlaces {
  private static final String QUEUE_OF =
      """
      select queue from ebb.job where id = ?
      """;

  private static final String WHERE_IS =
      """
      select case
        when exists (select from ebb.dead_letter where id = ? and payload = '') then 'erased'
        when exists (select from ebb.dead_letter where id = ?) then 'dead_letter'
        when exists (select from ebb.job where id = ?) then 'job'
        when exists (select from ebb.every_history where id = ? and cancelled) then 'cancelled'
        when exists (select from ebb.every_history where id = ?) then 'completed'
      end
      """;

  private JobPlaces() {}

  /** Takes the lock of the job's queue, and answers its name; {@code null} if it is not live. */
  static @Nullable String lockQueueOf(Connection connection, UUID id) throws SQLException {
    String queue = Statements.first(connection, QUEUE_OF, p -> p.id(id), row -> row.getString(1));
    if (queue != null) {
      QueueLock.take(connection, queue);
    }
    return queue;
  }

  /** {@code job} for a live one; {@code null} if there is no such job. */
  static @Nullable String whereIs(Connection connection, UUID id) throws SQLException {
    return Statements.first(
        connection, WHERE_IS, p -> p.id(id).id(id).id(id).id(id).id(id), row -> row.getString(1));
  }

  /** The result of an action that fits no job at that place. */
  static ActionResult absent(@Nullable String place) {
    return place == null ? ActionResult.NOT_FOUND : ActionResult.WRONG_STATE;
  }
}
