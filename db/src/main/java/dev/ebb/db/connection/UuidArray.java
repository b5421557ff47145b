package dev.ebb.db.connection;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Ids as a {@code uuid[]} in PostgreSQL's binary form; the driver itself would write out and escape
 * each id as text.
 */
final class UuidArray {
  private static final int HEADER_BYTES = 20;
  private static final int ID_BYTES = 16;

  private UuidArray() {}

  /** Dimensions, no nulls, the elements' type; then length and lower bound, and the elements. */
  static Array of(Connection connection, List<UUID> ids) throws SQLException {
    ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + ids.size() * (4 + ID_BYTES));
    buffer.putInt(1).putInt(0).putInt(Oid.UUID).putInt(ids.size()).putInt(1);
    for (UUID id : ids) {
      buffer
          .putInt(ID_BYTES)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits());
    }
    return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, buffer.array());
  }
}
