package dev.ebb.db.settings;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.operation.SubjectOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the settings of the whole cluster: the label that tells the subjects of jobs.
 */
public final class ClusterSettings {
  private static final String READ =
      """
      select subject from ebb.settings
      """;

  private static final String LOCK =
      """
      select subject from ebb.settings for update
      """;

  private static final String CHANGE =
      """
      update ebb.settings set subject = ?
      """;

  private final Database database;

  public ClusterSettings(Database database) {
    this.database = database;
  }

  /** The name of the label; empty for none. */
  public Optional<String> subject() throws SQLException {
    return database.inAutocommit(connection -> read(connection, READ));
  }

  /**
   * Chooses the label; an unfinished operation that looks for a subject forbids another, and is
   * answered.
   *
   * @param label {@code null} for none
   * @param condition given the label as it is, under its lock; throws if that is not as meant
   * @throws dev.ebb.core.InvalidInput if no label can have the name
   */
  public Optional<UUID> choose(
      @Nullable String label, Act act, Consumer<Optional<String>> condition) throws SQLException {
    require(
        label == null || NewJob.isLabel(label),
        "subject",
        "must be a letter followed by at most 62 letters, digits, '_', '.' or '-'");
    return database.inTransaction(connection -> {
      Optional<String> before = read(connection, LOCK);
      condition.accept(before);
      Optional<UUID> forbids =
          before.equals(Optional.ofNullable(label))
              ? Optional.empty()
              : SubjectOperations.unfinished(connection);
      if (forbids.isEmpty()) {
        Changes changes = new Changes().add("subject", before.orElse(null), label);
        Audit.write(connection, act, "settings.patch", "settings", changes);
        Statements.update(connection, CHANGE, p -> p.text(label));
      }
      return forbids;
    });
  }

  private static Optional<String> read(Connection connection, String sql) throws SQLException {
    return Statements.one(
        connection, sql, _ -> {}, row -> Optional.ofNullable(row.getString("subject")));
  }
}
