package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts waiting jobs by phase, of filters that name nothing but queues and states: exactly from
 * the claim index, up to a number of those that are due and of those that are not.
 */
final class WaitingCounts {
  /** How many jobs are counted, at most: as many as a forecast looks at. */
  static final int BUDGET = 10_000;

  private static final Set<Phase> LATER = EnumSet.range(Phase.HELD, Phase.RETRYING);

  private static final String COUNT =
      "with recursive "
          + QueueSteps.SQL
          + """
          , running as materialized (
            select l.id, l.version from ebb.leased l
          ), due as materialized (
            select d.*
            from q
            cross join lateral (
              select j.id, j.version, 'due' as phase
              from ebb.job j
              where ? and j.queue = q.name and j.run_at <= now()
              limit ?
            ) d
            limit ?
          ), later as materialized (
            select d.*
            from q
            cross join lateral (
              select
                j.id, j.version,
                case
                  when ebb.is_held(j.blocked_version, j.version, j.held_until) then 'blocked'
                  when ebb.is_held(j.held_version, j.version, j.held_until) then 'held'
                  when j.attempt = 0 then 'scheduled'
                  else 'retrying'
                end as phase
              from ebb.job j
              where ? and j.queue = q.name and j.run_at > now()
              limit ?
            ) d
            limit ?
          )
          select l.due, l.later, l.steps, c.phase, c.jobs
          from (
            select
              (select count(*) from due) as due, (select count(*) from later) as later,
              (select coalesce(max(steps), 0) from step) as steps
          ) l
          left join (
            select w.phase, count(*) as jobs
            from (select * from due union all select * from later) w
            where (w.id, w.version) not in (select id, version from running)
            group by w.phase
          ) c on true
          """;

  /** A row: the phase is {@code null} where no job is. */
  private record Row(long due, long later, int steps, @Nullable String phase, long jobs) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          row.getLong("due"),
          row.getLong("later"),
          row.getInt("steps"),
          row.getString("phase"),
          row.getLong("jobs"));
    }

    boolean isAll() {
      return due <= BUDGET && later <= BUDGET && steps < QueueSteps.MOST;
    }
  }

  private WaitingCounts() {}

  /** By phase; {@code null} where the filter asks for something else, or for too many. */
  static @Nullable Map<String, Long> of(Connection connection, JobFilter filter)
      throws SQLException {
    Set<Phase> others = EnumSet.copyOf(filter.phases());
    boolean due = others.remove(Phase.DUE);
    boolean later = others.removeAll(LATER);
    if (!others.isEmpty() || !filter.namesOnlyQueues()) {
      return null;
    }
    List<Row> rows = rows(connection, filter, due, later);
    return rows.getFirst().isAll() ? byPhase(filter, rows) : null;
  }

  private static List<Row> rows(Connection connection, JobFilter filter, boolean due, boolean later)
      throws SQLException {
    return Statements.list(
        connection,
        COUNT,
        p ->
            QueueSteps.bind(p, filter)
                .flag(due)
                .integer(BUDGET + 1)
                .integer(BUDGET + 1)
                .flag(later)
                .integer(BUDGET + 1)
                .integer(BUDGET + 1),
        Row::read);
  }

  private static Map<String, Long> byPhase(JobFilter filter, List<Row> rows) {
    Map<String, Long> phases = new TreeMap<>();
    for (Row row : rows) {
      if (filter.phases().stream().anyMatch(phase -> phase.word().equals(row.phase()))) {
        phases.put(row.phase(), row.jobs());
      }
    }
    return phases;
  }
}
