package dev.ebb.db.named;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table that holds settings by their names, as JSON in one column.
 *
 * @param <T> what the JSON says
 */
final class NamedTable<T> {
  /** How many it may hold. */
  static final int MOST = 1_000;

  private static final String FIND =
      """
      select name, %2$s::text as settings, created_at
      from ebb.%1$s
      where name = ?
      """;

  private static final String LOCK = FIND + "for update";
  private static final String KEEP = FIND + "for share";

  private static final String ALL =
      """
      select name, %2$s::text as settings, created_at
      from ebb.%1$s
      order by name
      limit ?
      """;

  private static final String IS_FULL =
      """
      select count(*) >= ? from (select from ebb.%1$s limit ?) stored
      """;

  // Of two that create them at a time, the second waits for the first, and inserts nothing.
  private static final String INSERT =
      """
      insert into ebb.%1$s (name, %2$s)
      values (?, ?::jsonb)
      on conflict (name) do nothing
      returning name, %2$s::text as settings, created_at
      """;

  private static final String UPDATE =
      """
      update ebb.%1$s
      set %2$s = ?::jsonb
      where name = ?
      returning name, %2$s::text as settings, created_at
      """;

  private static final String REMOVE =
      """
      delete from ebb.%1$s
      where name = ?
      """;

  private final String table;
  private final String column;
  private final String field;
  private final Function<String, T> reading;

  /**
   * A table of the schema.
   *
   * @param table also the field that a refusal names
   * @param field what the audit calls the column
   * @param reading of the JSON
   */
  NamedTable(String table, String column, String field, Function<String, T> reading) {
    this.table = table;
    this.column = column;
    this.field = field;
    this.reading = reading;
  }

  @Nullable NamedSettings<T> find(Connection connection, String name) throws SQLException {
    return one(connection, FIND, name);
  }

  /** Those of the name, which nobody else changes or reads to change before the end. */
  @Nullable NamedSettings<T> lock(Connection connection, String name) throws SQLException {
    return one(connection, LOCK, name);
  }

  /** Those of the name, which nobody replaces or removes before the transaction ends. */
  @Nullable NamedSettings<T> keep(Connection connection, String name) throws SQLException {
    return one(connection, KEEP, name);
  }

  /** All of them, by name. */
  List<NamedSettings<T>> all(Connection connection) throws SQLException {
    return Statements.list(connection, sql(ALL), p -> p.integer(MOST), this::read);
  }

  /**
   * Creates them or replaces them.
   *
   * @param condition told how they are, under their lock, empty if there are none; it throws to
   *     leave them so
   */
  NamedSettings.Write<T> put(
      Connection connection,
      String name,
      String json,
      Act act,
      Consumer<Optional<NamedSettings<T>>> condition)
      throws SQLException {
    NamedSettings<T> before = null;
    NamedSettings<T> written = null;
    // Somebody may store them, or remove them, between two statements.
    while (written == null) {
      before = lock(connection, name);
      condition.accept(Optional.ofNullable(before));
      written = before == null ? create(connection, name, json) : replace(connection, name, json);
    }
    Audit.write(connection, act, table + ".put", name, changes(before, written));
    return new NamedSettings.Write<>(written, before == null);
  }

  private @Nullable NamedSettings<T> create(Connection connection, String name, String json)
      throws SQLException {
    boolean isFull =
        Statements.one(
            connection, sql(IS_FULL), p -> p.integer(MOST).integer(MOST), row -> row.getBoolean(1));
    require(!isFull, table, "must be one of at most " + MOST + " that are stored");
    return Statements.first(connection, sql(INSERT), p -> p.text(name).text(json), this::read);
  }

  private NamedSettings<T> replace(Connection connection, String name, String json)
      throws SQLException {
    return Statements.one(connection, sql(UPDATE), p -> p.text(json).text(name), this::read);
  }

  /** Removes those that are locked. */
  void remove(Connection connection, NamedSettings<T> locked, Act act) throws SQLException {
    Statements.update(connection, sql(REMOVE), p -> p.text(locked.name()));
    Audit.write(connection, act, table + ".delete", locked.name(), changes(locked, null));
  }

  private Changes changes(@Nullable NamedSettings<T> before, @Nullable NamedSettings<T> after) {
    return new Changes()
        .add(
            field,
            before == null ? null : before.settings(),
            after == null ? null : after.settings());
  }

  private @Nullable NamedSettings<T> one(Connection connection, String sql, String name)
      throws SQLException {
    return Statements.first(connection, sql(sql), p -> p.text(name), this::read);
  }

  private String sql(String statement) {
    return statement.formatted(table, column);
  }

  private NamedSettings<T> read(ResultSet row) throws SQLException {
    return new NamedSettings<>(
        row.getString("name"),
        reading.apply(row.getString("settings")),
        Rows.instant(row, "created_at"));
  }
}
