package dev.ebb.db.stats;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Counts the jobs of each queue, after nodes of another release may have changed them unseen, and
 * says since when the sums are exact.
 */
final class DepthRecount {
  /** Beyond, the jobs are not counted: it would take the statement's time. */
  private static final int MOST_COUNTED = 50_000_000;

  // Nodes of several releases, or of several builds of one: some of them may write no tallies.
  private static final String STATE =
      """
      select
        s.exact_since is not null as exact,
        (
          select count(distinct (n.version, n.needs_schema)) > 1
          from ebb.node n
          where n.stopped_at is null and n.heartbeat_at > now() - interval '1 minute'
        ) as mixed,
        (
          select sum(greatest(c.reltuples, 0))
          from pg_class c
          where c.oid in ('ebb.job'::regclass, 'ebb.dead_letter'::regclass)
        ) as jobs
      from ebb.stat_state s
      """;

  // It may take longer than any other statement of a node. A time-out that runs must be stopped
  // before it can be longer; that of a transaction came with PostgreSQL 17.
  private static final String LONG =
      """
      select
        set_config('statement_timeout', '60s', true),
        set_config('enable_seqscan', 'on', true),
        case when current_setting('transaction_timeout', true) is not null
             then set_config('transaction_timeout', '0', true)
               || set_config('transaction_timeout', '70s', true) end
      """;

  private static final String RECOUNT =
      """
      select ebb.recount_queues()
      """;

  private static final String EXACT =
      """
      update ebb.stat_state set exact_since = case when ? then clock_timestamp() end
      """;

  private record State(boolean exact, boolean mixed, long jobs) {
    boolean mayCount() {
      return !exact && !mixed && jobs < MOST_COUNTED;
    }

    boolean isDue() {
      return mayCount() || (exact && mixed);
    }
  }

  private DepthRecount() {}

  /** Whether there is something to count or to take back. */
  static boolean isDue(Connection connection) throws SQLException {
    return read(connection).isDue();
  }

  /** In a transaction; answers whether it counted. */
  static boolean run(Connection connection) throws SQLException {
    if (!FoldLock.take(connection)) {
      return false;
    }
    State state = read(connection);
    if (state.mayCount()) {
      Statements.run(connection, LONG, _ -> {});
      Statements.run(connection, RECOUNT, _ -> {});
    }
    if (state.isDue()) {
      Statements.run(connection, EXACT, p -> p.flag(state.mayCount()));
    }
    return state.mayCount();
  }

  private static State read(Connection connection) throws SQLException {
    return Statements.one(connection, STATE, _ -> {}, DepthRecount::state);
  }

  private static State state(ResultSet row) throws SQLException {
    return new State(row.getBoolean("exact"), row.getBoolean("mixed"), row.getLong("jobs"));
  }
}
