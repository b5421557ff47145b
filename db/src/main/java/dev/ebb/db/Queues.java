package dev.ebb.db;

import dev.ebb.core.RetryPolicy;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queues' settings. */
public final class Queues {
  public Queues(Database database) {}

  /**
   * A queue's settings.
   *
   * @param policy of jobs that bring none; {@code null} for the preset {@code default}
   */
  public record Queue(
      String name, boolean paused, @Nullable RetryPolicy policy, Instant createdAt) {}

  public Optional<Queue> find(String name) throws SQLException {
    throw new AssertionError();
  }

  /** All queues by name. */
  public List<Queue> all() throws SQLException {
    throw new AssertionError();
  }

  /** Creates the queue or replaces its settings, and answers whether it was created. */
  public boolean put(String name, boolean paused, @Nullable RetryPolicy policy)
      throws SQLException {
    throw new AssertionError();
  }
}
