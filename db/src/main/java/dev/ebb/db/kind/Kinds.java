package dev.ebb.db.kind;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.LabelPointers;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of kinds. A kind needs none to have jobs. */
public final class Kinds {
  /** How many may have settings. */
  static final int MOST = 1_000;

  private static final String FIND =
      """
      select name, labels_from::text, created_at
      from ebb.kind
      where name = ?
      """;

  private static final String LOCK =
      """
      select name, labels_from::text, created_at
      from ebb.kind
      where name = ?
      for update
      """;

  private static final String ALL =
      """
      select name, labels_from::text, created_at
      from ebb.kind
      order by name
      limit ?
      """;

  private static final String IS_FULL =
      """
      select count(*) >= ? from (select from ebb.kind limit ?) stored
      """;

  // Of two that create it at a time, the second waits for the first, and inserts nothing.
  private static final String INSERT =
      """
      insert into ebb.kind (name, labels_from)
      values (?, ?::jsonb)
      on conflict (name) do nothing
      returning name, labels_from::text, created_at
      """;

  private static final String UPDATE =
      """
      update ebb.kind
      set labels_from = ?::jsonb
      where name = ?
      returning name, labels_from::text, created_at
      """;

  private static final String REMOVE =
      """
      delete from ebb.kind
      where name = ?
      """;

  private final Database database;

  public Kinds(Database database) {
    this.database = database;
  }

  /** A kind whose settings were written, and whether it had none before. */
  public record KindWrite(KindView kind, boolean created) {}

  /** The kind, if it has settings. */
  public Optional<KindView> find(String name) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(one(connection, FIND, name)));
  }

  /** All that have settings, by name. */
  public List<KindView> all() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, ALL, p -> p.integer(MOST), Kinds::view));
  }

  /**
   * Creates the kind's settings or replaces them; jobs that are there keep their labels.
   *
   * @param condition told how the settings are, under their lock, empty if there are none; it
   *     throws to leave them so
   */
  public KindWrite put(
      String name, Map<String, String> labelsFrom, Act act, Consumer<Optional<KindView>> condition)
      throws SQLException {
    NewJob.requireKind(name);
    Map<String, String> checked = LabelPointers.checked(labelsFrom);
    require(!checked.isEmpty(), "labelsFrom", "must have a label");
    String json = Objects.requireNonNull(StoredSettings.text(checked));
    return database.inTransaction(connection -> {
      KindWrite written = null;
      KindView before = null;
      // Somebody may store them, or remove them, between two statements.
      while (written == null) {
        before = one(connection, LOCK, name);
        condition.accept(Optional.ofNullable(before));
        written = before == null ? create(connection, name, json) : replace(connection, name, json);
      }
      Audit.write(connection, act, "kind.put", name, changes(before, written.kind()));
      return written;
    });
  }

  private static @Nullable KindWrite create(Connection connection, String name, String json)
      throws SQLException {
    boolean isFull =
        Statements.one(
            connection, IS_FULL, p -> p.integer(MOST).integer(MOST), row -> row.getBoolean(1));
    require(!isFull, "kind", "must be one of at most " + MOST + " that have settings");
    KindView created =
        Statements.first(connection, INSERT, p -> p.text(name).text(json), Kinds::view);
    return created == null ? null : new KindWrite(created, true);
  }

  private static KindWrite replace(Connection connection, String name, String json)
      throws SQLException {
    return new KindWrite(
        Statements.one(connection, UPDATE, p -> p.text(json).text(name), Kinds::view), false);
  }

  /**
   * Removes the kind's settings, and answers whether it had some.
   *
   * @param condition as of {@link #put}; not asked where there are none
   */
  public boolean remove(String name, Act act, Consumer<Optional<KindView>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      KindView before = one(connection, LOCK, name);
      if (before == null) {
        return false;
      }
      condition.accept(Optional.of(before));
      Statements.update(connection, REMOVE, p -> p.text(name));
      Audit.write(connection, act, "kind.delete", name, changes(before, null));
      return true;
    });
  }

  private static Changes changes(@Nullable KindView before, @Nullable KindView after) {
    return new Changes()
        .add(
            "labelsFrom",
            before == null ? null : before.labelsFrom(),
            after == null ? null : after.labelsFrom());
  }

  private static @Nullable KindView one(Connection connection, String sql, String name)
      throws SQLException {
    return Statements.first(connection, sql, p -> p.text(name), Kinds::view);
  }

  private static KindView view(ResultSet row) throws SQLException {
    return new KindView(
        row.getString("name"),
        StoredSettings.labels(row.getString("labels_from")),
        Rows.instant(row, "created_at"));
  }
}
