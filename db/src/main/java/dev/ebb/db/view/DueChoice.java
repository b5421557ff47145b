package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses whether the jobs of a filter are found by when they are due: the claim index names them,
 * queue by queue, where they are not too many.
 */
final class DueChoice {
  /** How many are named, at most. */
  static final int MANY = 20_000;

  /** By how much this machine's clock may be off the database's. */
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  // In the order of the claim index, the jobs of a queue are read from that index alone, whatever
  // the planner knows of them.
  private static final String IN_RANGE =
      "with recursive "
          + QueueSteps.SQL
          + """
          select f.name, count(f.found) as jobs
          from (
            select q.name, d.found
            from q
            left join lateral (
              select 1 as found
              from ebb.job j
              where j.queue = q.name
                and j.run_at >= coalesce(?::timestamptz, '-infinity')
                and j.run_at < coalesce(?::timestamptz, 'infinity')
              order by j.priority, j.run_at
              limit ?
            ) d on true
            limit ?
          ) f
          group by f.name
          """;

  private DueChoice() {}

  /**
   * When jobs are due, and where they are.
   *
   * @param from {@code null} for any
   * @param before {@code null} for any
   * @param queues in which some are
   * @param jobs how many there are
   */
  record DueRange(
      @Nullable Instant from, @Nullable Instant before, List<String> queues, int jobs) {}

  private record InQueue(String queue, int jobs) {}

  /** What the index names; {@code null} where it is no help. */
  static @Nullable DueRange of(Connection connection, JobFilter filter) throws SQLException {
    if (filter.due().isAny()) {
      return null;
    }
    JobFilter.Period due = filter.due().fixed(Instant.now());
    Instant from = due.from() == null ? null : due.from().minus(CLOCKS);
    Instant before = due.before() == null ? null : due.before().plus(CLOCKS);
    List<InQueue> found = found(connection, filter, from, before);
    int jobs = found.stream().mapToInt(InQueue::jobs).sum();
    List<String> queues = found.stream().filter(one -> one.jobs() > 0).map(InQueue::queue).toList();
    return jobs > MANY || found.size() >= QueueSteps.MOST
        ? null
        : new DueRange(from, before, queues, jobs);
  }

  private static List<InQueue> found(
      Connection connection, JobFilter filter, @Nullable Instant from, @Nullable Instant before)
      throws SQLException {
    return Statements.list(
        connection,
        IN_RANGE,
        p ->
            QueueSteps.bind(p, filter)
                .time(from)
                .time(before)
                .integer(MANY + 1)
                .integer(MANY + 1 + QueueSteps.MOST),
        row -> new InQueue(row.getString("name"), row.getInt("jobs")));
  }
}
