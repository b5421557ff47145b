package dev.ebb.db.settings;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.operation.SubjectOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the settings of the whole cluster: the label that tells the subjects of jobs,
 * and the destination that is told of others.
 */
public final class ClusterSettings {
  private static final String READ =
      """
      select subject, notices from ebb.settings
      """;

  private static final String LOCK =
      """
      select subject, notices from ebb.settings for update
      """;

  private static final String CHANGE =
      """
      update ebb.settings set subject = ?, notices = ?
      """;

  private static final String IS_DESTINATION =
      """
      select from ebb.queue where name = ? and destination is not null
      """;

  private final Database database;

  public ClusterSettings(Database database) {
    this.database = database;
  }

  /**
   * What people chose.
   *
   * @param subject the name of the label; {@code null} for none
   * @param notices the destination that is told of others that fail for long, and of their dead
   *     letters; {@code null} for none
   */
  public record Chosen(@Nullable String subject, @Nullable String notices) {}

  /** What is chosen now. */
  public Chosen read() throws SQLException {
    return database.inAutocommit(connection -> read(connection, READ));
  }

  /** The name of the label; empty for none. */
  public Optional<String> subject() throws SQLException {
    return Optional.ofNullable(read().subject());
  }

  /** Chooses the label alone, as {@link #change} does. */
  public Optional<UUID> choose(@Nullable String label, Act act) throws SQLException {
    return change(before -> new Chosen(label, before.notices()), act, _ -> {});
  }

  /**
   * Changes what is chosen; an unfinished operation that looks for a subject forbids another label,
   * and is answered.
   *
   * @param condition given what is chosen, under its lock; throws if that is not as meant
   * @throws dev.ebb.core.InvalidInput if no label can have the name, or there is no such
   *     destination
   */
  public Optional<UUID> change(UnaryOperator<Chosen> change, Act act, Consumer<Chosen> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      Chosen before = read(connection, LOCK);
      condition.accept(before);
      Chosen after = change.apply(before);
      require(connection, before, after);
      Optional<UUID> forbids =
          Objects.equals(before.subject(), after.subject())
              ? Optional.empty()
              : SubjectOperations.unfinished(connection);
      if (forbids.isEmpty()) {
        Changes changes =
            new Changes()
                .add("subject", before.subject(), after.subject())
                .add("notices", before.notices(), after.notices());
        Audit.write(connection, act, "settings.patch", "settings", changes);
        Statements.update(connection, CHANGE, p -> p.text(after.subject()).text(after.notices()));
      }
      return forbids;
    });
  }

  private static void require(Connection connection, Chosen before, Chosen chosen)
      throws SQLException {
    String label = chosen.subject();
    InvalidInput.require(
        label == null || NewJob.isLabel(label),
        "subject",
        "must be a letter followed by at most 62 letters, digits, '_', '.' or '-'");
    String notices = chosen.notices();
    boolean isKnown =
        notices == null
            || notices.equals(before.notices())
            || Statements.first(connection, IS_DESTINATION, p -> p.text(notices), _ -> true)
                != null;
    InvalidInput.require(isKnown, "notices", "must be the name of a destination");
  }

  private static Chosen read(Connection connection, String sql) throws SQLException {
    return Statements.one(
        connection,
        sql,
        _ -> {},
        row -> new Chosen(row.getString("subject"), row.getString("notices")));
  }
}
