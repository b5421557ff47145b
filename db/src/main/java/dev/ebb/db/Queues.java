package dev.ebb.db;

import dev.ebb.core.NewJob;
import dev.ebb.core.RetryPolicy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queues' settings. */
public final class Queues {
  private static final String ONE =
      """
      select name, paused, policy, created_at from ebb.queue where name = ?
      """;

  private static final String ALL =
      """
      select name, paused, policy, created_at from ebb.queue order by name
      """;

  // A new row has no deleting transaction: that tells an insert from an update.
  private static final String PUT =
      """
      insert into ebb.queue as q (name, paused, policy)
      values (?, ?, ?::jsonb)
      on conflict (name) do update set paused = excluded.paused, policy = excluded.policy
      returning (q.xmax = 0) as created
      """;

  private static final String ENSURE =
      """
      insert into ebb.queue (name)
      select name from unnest(?::text[]) as t (name) order by name
      on conflict do nothing
      """;

  private final Database database;

  public Queues(Database database) {
    this.database = database;
  }

  /**
   * A queue's settings.
   *
   * @param policy of jobs that bring none; {@code null} for the preset {@code default}
   */
  public record Queue(
      String name, boolean paused, @Nullable RetryPolicy policy, Instant createdAt) {}

  public Optional<Queue> find(String name) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(ONE)) {
      statement.setString(1, name);
      return read(statement).stream().findFirst();
    }
  }

  /** All queues by name. */
  public List<Queue> all() throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(ALL)) {
      return read(statement);
    }
  }

  private static List<Queue> read(PreparedStatement statement) throws SQLException {
    List<Queue> queues = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        queues.add(
            new Queue(
                rows.getString("name"),
                rows.getBoolean("paused"),
                JobRow.policy(rows.getString("policy")),
                JobRow.instant(rows, "created_at")));
      }
    }
    return queues;
  }

  /**
   * Creates the queue or replaces its settings, and answers whether it was created.
   *
   * @throws dev.ebb.core.InvalidInput if the name is not one for a queue
   */
  public boolean put(String name, boolean paused, @Nullable RetryPolicy policy)
      throws SQLException {
    NewJob.requireQueue(name);
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(PUT)) {
      statement.setString(1, name);
      statement.setBoolean(2, paused);
      statement.setString(3, policy == null ? null : PolicyJson.write(policy).toString());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean("created");
      }
    }
  }

  /** Creates those that are not there, with every default. */
  public void ensure(Collection<String> names) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(ENSURE)) {
      statement.setArray(1, connection.createArrayOf("text", names.toArray()));
      statement.executeUpdate();
    }
  }
}
