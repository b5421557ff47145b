package dev.ebb.db.connection;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * Ids as a {@code uuid[]} in PostgreSQL's binary form, where the connection sends it so; the driver
 * itself would write out and escape each id as text.
 */
final class UuidArray extends PGobject implements PGBinaryObject {
  /** What the driver has to be told to send in binary. */
  static final String OID = "2951";

  private static final int ELEMENT_OID = 2950;
  private static final int HEADER_BYTES = 20;
  private static final int EMPTY_BYTES = 12;
  private static final int ID_BYTES = 16;

  private final transient List<UUID> ids;

  UuidArray(List<UUID> ids) {
    this.ids = ids;
    setType("_uuid");
  }

  @Override
  public String getValue() {
    return ids.stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
  }

  @Override
  public int lengthInBytes() {
    return ids.isEmpty() ? EMPTY_BYTES : HEADER_BYTES + ids.size() * (4 + ID_BYTES);
  }

  /** Dimensions, no nulls, the elements' type; then length and lower bound, and the elements. */
  @Override
  public void toBytes(byte[] bytes, int offset) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, lengthInBytes());
    buffer.putInt(ids.isEmpty() ? 0 : 1).putInt(0).putInt(ELEMENT_OID);
    if (ids.isEmpty()) {
      return;
    }
    buffer.putInt(ids.size()).putInt(1);
    for (UUID id : ids) {
      buffer
          .putInt(ID_BYTES)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits());
    }
  }

  @Override
  public void setByteValue(byte[] value, int offset) {
    throw new UnsupportedOperationException("it is only sent");
  }
}
