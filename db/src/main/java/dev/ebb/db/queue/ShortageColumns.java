package dev.ebb.db.queue;

import dev.ebb.core.limit.Shortage;
import dev.ebb.db.connection.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A shortage in the columns {@code short_since} and {@code short_until}; both null for none. */
public final class ShortageColumns {
  private ShortageColumns() {}

  /** That of the row; {@code null} for none. */
  public static @Nullable Shortage read(ResultSet row) throws SQLException {
    Instant since = Rows.instantOrNull(row, "short_since");
    return since == null ? null : new Shortage(since, Rows.instant(row, "short_until"));
  }
}
