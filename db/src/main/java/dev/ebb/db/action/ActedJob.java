package dev.ebb.db.action;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A job that an action was done to.
 *
 * @param requested whether it runs, and was asked to stop
 */
public record ActedJob(UUID id, String queue, boolean requested) {
  static ActedJob read(ResultSet row) throws SQLException {
    return new ActedJob(
        row.getObject("id", UUID.class), row.getString("queue"), row.getBoolean("requested"));
  }
}
