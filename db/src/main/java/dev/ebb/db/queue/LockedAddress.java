package dev.ebb.db.queue;

import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.db.audit.Audit;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A destination under its lock, of which somebody changes the address. */
record LockedAddress(Connection connection, QueueView before, Destination address) {

  /** {@code null} if there is no such destination. */
  static @Nullable LockedAddress of(Connection connection, String name) throws SQLException {
    QueueRow.Before before = QueueRow.lock(connection, name);
    Destination address = before == null ? null : before.view().settings().destination();
    return before == null || address == null
        ? null
        : new LockedAddress(connection, before.view(), address);
  }

  /** Notes that it was changed to this. */
  QueueView changed(QueueView written, String action, Act act) throws SQLException {
    Audit.write(connection, act, action, written.name(), QueueChanges.of(before, written));
    return written;
  }
}
