package dev.ebb.db.named;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.LabelPointers;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.json.StoredSettings;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of kinds: JSON Pointers by the names of the labels that their jobs take from their
 * payloads. A kind needs none to have jobs.
 */
public final class Kinds {
  private static final NamedTable<Map<String, String>> TABLE =
      new NamedTable<>("kind", "labels_from", "labelsFrom", StoredSettings::labels);

  private final Database database;

  public Kinds(Database database) {
    this.database = database;
  }

  /** The kind, if it has settings. */
  public Optional<NamedSettings<Map<String, String>>> find(String name) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(TABLE.find(connection, name)));
  }

  /** All that have settings, by name. */
  public List<NamedSettings<Map<String, String>>> all() throws SQLException {
    return database.inAutocommit(TABLE::all);
  }

  /**
   * Creates the kind's settings or replaces them; jobs that are there keep their labels.
   *
   * @param condition told how the settings are, under their lock, empty if there are none; it
   *     throws to leave them so
   */
  public NamedSettings.Write<Map<String, String>> put(
      String name,
      Map<String, String> labelsFrom,
      Act act,
      Consumer<Optional<NamedSettings<Map<String, String>>>> condition)
      throws SQLException {
    NewJob.requireKind(name);
    Map<String, String> checked = LabelPointers.checked(labelsFrom);
    require(!checked.isEmpty(), "labelsFrom", "must have a label");
    String json = Objects.requireNonNull(StoredSettings.text(checked));
    return database.inTransaction(connection -> TABLE.put(connection, name, json, act, condition));
  }

  /**
   * Removes the kind's settings, and answers whether it had some.
   *
   * @param condition as of {@link #put}; not asked where there are none
   */
  public boolean remove(
      String name, Act act, Consumer<Optional<NamedSettings<Map<String, String>>>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      NamedSettings<Map<String, String>> before = TABLE.lock(connection, name);
      if (before == null) {
        return false;
      }
      condition.accept(Optional.of(before));
      TABLE.remove(connection, before, act);
      return true;
    });
  }
}
