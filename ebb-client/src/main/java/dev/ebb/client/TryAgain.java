package dev.ebb.client;

import java.io.Serial;
import java.sql.SQLException;

/**
 * The caller's transaction has to begin anew: another has held the unique key for two seconds, or
 * this one cannot see who holds it. PostgreSQL has ended it; nothing of it was stored.
 */
public final class TryAgain extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  TryAgain(SQLException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  /** True, in another transaction. */
  @Override
  public boolean isRetryable() {
    return true;
  }
}
