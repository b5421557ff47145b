package dev.ebb.api.access;

import java.sql.SQLException;

/** Asks again, for a request that has waited, whether its token is still live. */
@FunctionalInterface
public interface Liveness {
  /**
   * Refuses the request if its token was revoked or expired meanwhile.
   *
   * @throws SQLException if the database does not tell
   */
  void require() throws SQLException;
}
