package dev.ebb.db.schedule;

import dev.ebb.db.connection.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** What tells a fire from all others. */
record FireKey(String schedule, Instant fireAt) {
  static FireKey of(ResultSet row) throws SQLException {
    return new FireKey(row.getString("schedule"), Rows.instant(row, "fire_at"));
  }
}
