package dev.ebb.db.connection;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * How long each statement may take within some work, where less than the server's bound will do.
 */
public final class StatementLimit {
  private static final ScopedValue<Duration> LIMIT = ScopedValue.newInstance();

  private StatementLimit() {}

  /**
   * Does the work, in which a statement that takes longer is cancelled: it fails as it would at the
   * server's own bound, which holds besides.
   *
   * @param limit in whole seconds; zero for the server's bound alone
   */
  public static <T, E extends Throwable> T within(Duration limit, ScopedValue.CallableOp<T, E> work)
      throws E {
    return ScopedValue.where(LIMIT, limit).call(work);
  }

  static void set(Statement statement) throws SQLException {
    if (LIMIT.isBound()) {
      statement.setQueryTimeout((int) LIMIT.get().toSeconds());
    }
  }
}
