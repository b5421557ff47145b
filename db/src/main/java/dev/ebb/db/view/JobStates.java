package dev.ebb.db.view;

import dev.ebb.core.job.JobState;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Tells the states of jobs by their ids, many at a time. */
final class JobStates {
  private static final String STATES =
      """
      with asked as materialized (
        select distinct id from unnest(?::uuid[]) as asked (id)
      ), live as materialized (
        select j.id, j.queue, j.version
        from asked
        join ebb.job j on j.id = asked.id
      ), running as materialized (
        select l.queue, l.id, l.version
        from ebb.leased l
        where l.queue in (select queue from live)
      )
      select
        l.id,
        case when (l.queue, l.id, l.version) in (select queue, id, version from running)
          then 'running' else 'available' end as state
      from live l
      union all
      select d.id, 'dead_letter'
      from asked
      join ebb.dead_letter d on d.id = asked.id
      union all
      select h.id, h.state
      from asked
      cross join lateral (
        select h.id, case when h.cancelled then 'cancelled' else 'completed' end as state
        from ebb.every_history h
        -- No job ended before it was made. The node's clock, which the id tells, may be off: with a
        -- day between them, only days are looked through on which it may have ended.
        where h.id = asked.id and h.ended_at >= ebb.made_at(asked.id) - interval '1 day'
      ) h
      where asked.id not in (select id from live)
      """;

  private JobStates() {}

  /** The states by id; none for a job that is unknown, or no longer kept. */
  static Map<UUID, JobState> of(Connection connection, List<UUID> ids) throws SQLException {
    Map<UUID, JobState> states = new HashMap<>();
    Statements.list(
        connection,
        STATES,
        p -> p.ids(ids),
        row ->
            states.put(
                row.getObject("id", UUID.class),
                JobState.valueOf(row.getString("state").toUpperCase(Locale.ROOT))));
    return states;
  }
}
