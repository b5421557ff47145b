package dev.ebb.db.node;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of secrets that live nodes lack. */
public final class MissingKeys {
  private static final String LIST =
      """
      with live as (
        select n.name, n.missing_keys
        from ebb.node n
        where n.stopped_at is null
          and n.heartbeat_at >= now() - ? * interval '1 microsecond'
          and n.missing_keys is not null
      )
      select
        k.id,
        (select min(l.name) from live l where k.id <> all (l.missing_keys)) as holder,
        k.id in (select ebb.keys_of_destinations()) as of_destinations
      from (select distinct unnest(l.missing_keys) as id from live l) k
      """;

  private final Database database;

  public MissingKeys(Database database) {
    this.database = database;
  }

  /**
   * A key that a live node lacks.
   *
   * @param holder a live node that has it; {@code null} if none says so
   * @param ofDestinations whether it sealed a secret of a destination, and not only the key that
   *     signs exports
   */
  public record MissingKey(String id, @Nullable String holder, boolean ofDestinations) {
    static MissingKey of(ResultSet row) throws SQLException {
      return new MissingKey(
          row.getString("id"), row.getString("holder"), row.getBoolean("of_destinations"));
    }
  }

  /** All of them. */
  public List<MissingKey> list() throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(connection, LIST, p -> p.micros(Nodes.LOST_AFTER), MissingKey::of));
  }
}
