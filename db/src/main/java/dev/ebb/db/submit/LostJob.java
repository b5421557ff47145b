package dev.ebb.db.submit;

import dev.ebb.db.connection.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that was acknowledged, and that the database does not have.
 *
 * @param acknowledgedAt by the clock of the process that did
 * @param foundAt when that process missed it
 */
public record LostJob(
    UUID id, String queue, @Nullable String uniqueKey, Instant acknowledgedAt, Instant foundAt) {

  static LostJob read(ResultSet row) throws SQLException {
    return new LostJob(
        row.getObject("id", UUID.class),
        row.getString("queue"),
        row.getString("unique_key"),
        Rows.instant(row, "acknowledged_at"),
        Rows.instant(row, "found_at"));
  }
}
