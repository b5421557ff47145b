package dev.ebb.db.queue;

import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.stats.MeteredQueues;
import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.QueueStat;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads how the busiest queues stand, and all others together. Its cost is bounded by the number of
 * queues: depths are running sums, and due jobs are counted up to a bound.
 */
public final class QueueFigureReads {
  /** Due jobs of a queue are counted up to here. */
  static final int MOST_DUE = 10_000;

  /** Ordering keys of a queue that wait are counted up to here. */
  static final int MOST_KEYS = 1_000;

  // What is claimed is due as well. By priority, as the claim index is sorted.
  private static final String DUE =
      """
      select
        n.name, q.rate_limit is not null as limited,
        (q.paused and coalesce(q.paused_until > statement_timestamp(), true)) is true as is_paused,
        (c.state ->> 'phase' <> 'CLOSED' or c.held_until > statement_timestamp()) is true
          as is_circuit_open,
        (
          select sum(counted.jobs)::bigint
          from generate_series(0, 9) level
          cross join lateral (
            select count(*) as jobs
            from (
              select
              from ebb.job j
              where j.queue = n.name
                and j.priority = level::smallint
                and j.run_at <= statement_timestamp()
              limit ?
            ) found
          ) counted
        ) as due,
        (
          select count(*)
          from ebb.parked_keys(n.name, ?) k
          where exists (
            select
            from ebb.job j
            where j.queue = n.name
              and j.ordering_key = k.key
              and j.blocked_version = j.version
              and j.held_until > statement_timestamp()
          )
        ) as blocked_keys
      from unnest(?::text[]) as n (name)
      left join ebb.queue q on q.name = n.name
      left join ebb.circuit c on c.queue = q.name and q.destination is not null
      """;

  private final Database database;
  private final Limiters limiters;

  public QueueFigureReads(Database database) {
    this.database = database;
    this.limiters = new Limiters(database);
  }

  private record DueJobs(
      long jobs, long blockedKeys, boolean paused, boolean circuitOpen, boolean limited) {}

  /**
   * The queues with the most jobs and dead letters, those with settings first, and last all others
   * as {@value MeteredQueues#OTHER}.
   *
   * @param most of them that are told by their names
   */
  public List<QueueFigures> busiest(int most) throws SQLException {
    Overview overview =
        database.inAutocommit(connection -> OverviewReads.busiest(connection, most));
    // The word for the others may be a queue's name as well: such a queue is one of them.
    List<QueueStat> named =
        overview.queues().stream().filter(one -> !one.queue().equals(MeteredQueues.OTHER)).toList();
    Map<String, DueJobs> due = database.inAutocommit(connection -> due(connection, named));
    List<QueueFigures> figures = new ArrayList<>();
    for (QueueStat one : named) {
      DueJobs waiting = due.getOrDefault(one.queue(), new DueJobs(0, 0, false, false, false));
      figures.add(figures(one, waiting, overview.complete()));
    }
    figures.add(others(overview, named));
    return List.copyOf(figures);
  }

  private static Map<String, DueJobs> due(Connection connection, List<QueueStat> queues)
      throws SQLException {
    Map<String, DueJobs> due = new HashMap<>();
    List<String> names = queues.stream().map(QueueStat::queue).toList();
    var _ =
        Statements.list(
            connection,
            DUE,
            p -> p.integer(MOST_DUE).integer(MOST_KEYS).texts(names),
            row -> add(row, due));
    return due;
  }

  private static boolean add(ResultSet row, Map<String, DueJobs> due) throws SQLException {
    due.put(
        row.getString("name"),
        new DueJobs(
            Math.min(MOST_DUE, row.getLong("due")),
            row.getLong("blocked_keys"),
            row.getBoolean("is_paused"),
            row.getBoolean("is_circuit_open"),
            row.getBoolean("limited")));
    return true;
  }

  private QueueFigures figures(QueueStat one, DueJobs due, boolean complete) throws SQLException {
    Duration oldest = one.oldestDue();
    QueueFigures figures =
        new QueueFigures(
            one.queue(),
            known(one.jobs(), complete),
            known(one.deadLetters(), complete),
            one.inFlight(),
            Math.max(0, due.jobs - one.inFlight()),
            oldest == null ? Duration.ZERO : oldest,
            due.blockedKeys,
            due.paused,
            due.circuitOpen,
            null,
            null);
    return due.limited ? withRate(figures) : figures;
  }

  private QueueFigures withRate(QueueFigures figures) throws SQLException {
    Limiters.LimiterView seen = limiters.find(figures.queue()).orElse(null);
    RateLimit limit = seen == null ? null : seen.rate();
    if (seen == null || limit == null) {
      return figures;
    }
    double rate = new WarmUpLimiter(limit).view(seen.state(), seen.now()).currentRate();
    return figures.withRate(rate, limit.permitsPerSecond());
  }

  private static QueueFigures others(Overview overview, List<QueueStat> named) {
    long jobs = overview.all().jobs();
    long deadLetters = overview.all().deadLetters();
    long running = overview.all().inFlight();
    for (QueueStat one : named) {
      jobs -= one.jobs();
      deadLetters -= one.deadLetters();
      running -= one.inFlight();
    }
    return new QueueFigures(
        MeteredQueues.OTHER,
        known(jobs, overview.complete()),
        known(deadLetters, overview.complete()),
        Math.max(0, running),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static @Nullable Long known(long number, boolean complete) {
    return complete ? Math.max(0, number) : null;
  }
}
