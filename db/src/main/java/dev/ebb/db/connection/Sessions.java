package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;

/**
 * The sessions of this process, of which those that it gave up are ended.
 *
 * <p>A commit that waits for a synchronous standby does not notice that its client is gone, and no
 * timeout ends it. Each caller that comes meanwhile would leave one more session behind, until the
 * server takes none. A session that is ended so has committed, on this server alone; whoever waited
 * for it was not told that it had.
 */
final class Sessions {
  private static final int MOST = 500;

  private static final String END =
      """
      select count(pg_terminate_backend(a.pid))
      from unnest(?::integer[], ?::bigint[]) as gone (pid, seen_at)
      join pg_stat_activity a on a.pid = gone.pid
      where a.backend_start <= timestamptz 'epoch' + gone.seen_at * interval '1 microsecond'
        and a.wait_event = 'SyncRep' and a.usename = current_user
      """;

  private final Set<Session> all = ConcurrentHashMap.newKeySet();

  /**
   * A session.
   *
   * @param seenAt by the server's clock, when it was there: another one of this number began later
   */
  private record Session(Connection connection, int pid, Instant seenAt) {
    long seenMicros() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, seenAt);
    }

    boolean isGivenUp() {
      try {
        return connection.isClosed();
      } catch (SQLException e) {
        return true;
      }
    }
  }

  void add(Connection connection, Instant seenAt) throws SQLException {
    if (all.size() > MOST) {
      // Nobody looks after them here.
      all.removeIf(Session::isGivenUp);
    }
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    all.add(new Session(connection, pid, seenAt));
  }

  /** One that is about to be closed, and waits for nothing. */
  void forget(Connection connection) {
    all.removeIf(session -> session.connection.equals(connection));
  }

  /** Those that this process has closed, or lost, since the last time. */
  boolean haveGivenUp() {
    return all.stream().anyMatch(Session::isGivenUp);
  }

  /** Ends those of them that still wait. */
  void end(Connection connection) throws SQLException {
    List<Session> gone = all.stream().filter(Session::isGivenUp).toList();
    Statements.run(
        connection, END, p -> p.columns(gone).ints(Session::pid).longs(Session::seenMicros));
    gone.forEach(all::remove);
  }
}
