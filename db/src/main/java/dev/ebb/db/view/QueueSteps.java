package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Parameters;
import java.sql.SQLException;
import java.util.Collection;

/**
 * The queues that a look into the claim index goes through, in SQL: those that a filter names, or
 * else every one that has jobs, up to a number. It steps from queue to queue along the index, as
 * the search for work does.
 */
final class QueueSteps {
  /** How many queues are stepped through, at most. */
  static final int MOST = 500;

  /** The common table expressions {@code step} and {@code q}, for a recursive query. */
  static final String SQL =
      """
      step (name, steps) as (
        (select j.queue, 1 from ebb.job j where ? order by j.queue limit 1)
        union all
        select
          (select j.queue from ebb.job j where j.queue > s.name order by j.queue limit 1),
          s.steps + 1
        from step s
        where s.name is not null and s.steps < ?
      ), q as (
        select name from step where name is not null
        union all
        select name from unnest(?::text[]) wanted (name)
      )
      """;

  private QueueSteps() {}

  /** Gives them their parameters. */
  static Parameters bind(Parameters parameters, JobFilter filter) throws SQLException {
    Collection<String> queues = filter.queues().wanted();
    return parameters.flag(queues.isEmpty()).integer(MOST).texts(queues);
  }
}
