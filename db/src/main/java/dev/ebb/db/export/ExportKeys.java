package dev.ebb.db.export;

import dev.ebb.core.access.Act;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the key that signs exports, and the public keys of those before it. */
public final class ExportKeys {
  /** How many are kept, the one that signs included. */
  public static final int MOST = 100;

  private static final String SIGNING =
      """
      select * from ebb.export_key where sealed is not null
      """;

  private static final String LIST =
      """
      select * from ebb.export_key order by created_at desc, id limit ?
      """;

  private static final String RETIRE =
      """
      update ebb.export_key
      set sealed = null, retired_at = now()
      where sealed is not null
      returning id
      """;

  // At most one signs: where two nodes make the first at once, the second keeps none.
  private static final String ADD =
      """
      insert into ebb.export_key (id, public_key, sealed)
      select ?, ?, ?
      where (select count(*) from ebb.export_key) < ?
      on conflict do nothing
      """;

  private final Database database;

  public ExportKeys(Database database) {
    this.database = database;
  }

  /** The key that signs; empty before the first. */
  public Optional<ExportKey> signing() throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(signing(connection)));
  }

  private static @Nullable ExportKey signing(Connection connection) throws SQLException {
    return Statements.first(connection, SIGNING, _ -> {}, ExportKeys::key);
  }

  /** All of them, the newest first. */
  public List<ExportKey> list() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, LIST, p -> p.integer(MOST), ExportKeys::key));
  }

  /** Keeps the first key, and answers the one that signs: this one, unless there is one. */
  public ExportKey first(ExportKey made, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      if (isAdded(connection, made)) {
        audit(connection, act, "export_key.create", null, made);
      }
      return Statements.one(connection, SIGNING, _ -> {}, ExportKeys::key);
    });
  }

  /**
   * Has this key sign from now on, and forgets the private key of the one before; empty where
   * {@value #MOST} are kept.
   */
  public Optional<ExportKey> rotate(ExportKey made, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      String before = Statements.first(connection, RETIRE, _ -> {}, row -> row.getString("id"));
      if (!isAdded(connection, made)) {
        connection.rollback();
        return Optional.empty();
      }
      audit(connection, act, "export_key.rotate", before, made);
      return Optional.ofNullable(signing(connection));
    });
  }

  private static boolean isAdded(Connection connection, ExportKey made) throws SQLException {
    return Statements.update(
            connection,
            ADD,
            p -> p.text(made.id()).text(made.publicKey()).text(made.sealed()).integer(MOST))
        == 1;
  }

  private static void audit(
      Connection connection, Act act, String action, @Nullable String before, ExportKey made)
      throws SQLException {
    Changes changes = new Changes().add("key", before, made.id());
    Audit.write(connection, act, action, "export-keys", changes);
  }

  private static ExportKey key(ResultSet row) throws SQLException {
    return new ExportKey(
        row.getString("id"),
        row.getString("public_key"),
        row.getString("sealed"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "retired_at"));
  }
}
