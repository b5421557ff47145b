package dev.ebb.db.stats;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * How many jobs some queues have together, by the counters that {@link OverviewReads} reads too.
 *
 * @param jobs that have not ended
 * @param inFlight jobs that are claimed
 * @param exact whether nothing is missing
 */
public record QueueTotals(long jobs, long inFlight, long deadLetters, boolean exact) {
  private static final String READ =
      """
      with %1$s, unfolded as materialized (
        select
          sum(ebb.jobs_added(t.counter, t.number)) as jobs,
          sum(ebb.dead_letters_added(t.counter, t.number)) as dead_letters
        from ebb.tally t
        where (select r.yes from readable r) and (? or t.queue = any (?))
      ), folded as materialized (
        select sum(s.jobs) as jobs, sum(s.dead_letters) as dead_letters
        from ebb.stat_queue s
        where s.queue = any (?)
      ), in_flight as materialized (
        select count(*) as jobs
        from ebb.leased l
        join ebb.job j on j.id = l.id and j.version = l.version
        where ? or l.queue = any (?)
      )
      select
        greatest(0, coalesce(f.jobs, 0) + coalesce(u.jobs, 0)) as jobs,
        greatest(0, coalesce(f.dead_letters, 0) + coalesce(u.dead_letters, 0)) as dead_letters,
        i.jobs as in_flight,
        r.yes and exists (select from ebb.stat_state e where e.exact_since is not null) as exact
      from readable r, folded f, unfolded u, in_flight i
      """
          .formatted(StatReads.READABLE);

  /** Of these queues; of all where none is named. */
  public static QueueTotals of(Connection connection, Collection<String> queues)
      throws SQLException {
    boolean all = queues.isEmpty();
    List<String> named = List.copyOf(queues);
    List<String> folded = all ? List.of(OverviewReads.ALL) : named;
    return Statements.one(
        connection,
        READ,
        p -> p.flag(all).texts(named).texts(folded).flag(all).texts(named),
        row ->
            new QueueTotals(
                row.getLong("jobs"),
                row.getLong("in_flight"),
                row.getLong("dead_letters"),
                row.getBoolean("exact")));
  }
}
