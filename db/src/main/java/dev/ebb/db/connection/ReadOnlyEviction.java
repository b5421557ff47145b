package dev.ebb.db.connection;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Has the pool drop a connection that cannot write: its server has become a standby, and the next
 * connection may lead to the primary.
 */
public final class ReadOnlyEviction implements SQLExceptionOverride {
  @java.lang.Override
  public Override adjudicate(SQLException failure) {
    boolean isReadOnly = SqlStates.READ_ONLY.equals(failure.getSQLState());
    return isReadOnly ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }
}
