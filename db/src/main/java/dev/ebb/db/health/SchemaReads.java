package dev.ebb.db.health;

import dev.ebb.contract.DatabaseHealth.Clock;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.DatabaseHealth.Partitions;
import dev.ebb.contract.DatabaseHealth.Table;
import dev.ebb.core.health.Figure.CheckIn;
import dev.ebb.core.health.Figure.Schedules;
import dev.ebb.core.health.Figure.Start;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.node.NodeView;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartState;
import dev.ebb.db.stats.OverviewReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Reads what the catalog, the statistics and few rows tell of the schema. */
final class SchemaReads {
  private static final int QUEUES = 200;
  private static final int NODES = 1000;
  private static final int SHOWN = 20;

  // To ask for the size of a relation that somebody keeps everybody out of would wait for it.
  private static final String TABLES =
      """
      with shut as materialized (
        select k.relation as id
        from pg_locks k
        where k.locktype = 'relation' and k.mode = 'AccessExclusiveLock'
          and k.database = (select oid from pg_database where datname = current_database())
      ), part as materialized (
        select
          c.oid as id,
          coalesce(pg_partition_root(c.oid), c.oid) as root,
          c.reltuples,
          (select option_value from pg_options_to_table(c.reloptions)
            where option_name = 'autovacuum_enabled')::boolean as enabled,
          (select option_value from pg_options_to_table(c.reloptions)
            where option_name = 'autovacuum_vacuum_threshold')::float8 as threshold,
          (select option_value from pg_options_to_table(c.reloptions)
            where option_name = 'autovacuum_vacuum_scale_factor')::float8 as scale,
          exists (select from shut s where s.id = c.oid)
            or exists (
              select from pg_index i join shut s on s.id = i.indexrelid where i.indrelid = c.oid)
            as shut
        from pg_class c
        where c.relnamespace = 'ebb'::regnamespace and c.relkind = 'r'
      ), whole as (
        select
          r.relname as name,
          count(*)::int as partitions,
          case when not bool_or(p.shut)
               then sum(case when not p.shut then pg_table_size(p.id) end)::bigint end as bytes,
          case when not bool_or(p.shut)
               then sum(case when not p.shut then pg_indexes_size(p.id) end)::bigint end
            as index_bytes,
          sum(pg_stat_get_live_tuples(p.id))::bigint as live_rows,
          sum(pg_stat_get_dead_tuples(p.id))::bigint as dead_rows,
          sum(least(
            coalesce(p.threshold, current_setting('autovacuum_vacuum_threshold')::float8)
              + coalesce(p.scale, current_setting('autovacuum_vacuum_scale_factor')::float8)
                * greatest(p.reltuples, 0),
            nullif(current_setting('autovacuum_vacuum_max_threshold', true)::float8, -1)))::bigint
            as vacuum_from,
          bool_and(coalesce(p.enabled, true)) as autovacuum,
          max(greatest(pg_stat_get_last_vacuum_time(p.id), pg_stat_get_last_autovacuum_time(p.id)))
            as vacuumed_at,
          max(greatest(
            pg_stat_get_last_analyze_time(p.id), pg_stat_get_last_autoanalyze_time(p.id)))
            as analyzed_at
        from part p
        join pg_class r on r.oid = p.root
        group by r.relname
      )
      select * from whole
      order by bytes + index_bytes desc nulls first, name
      limit 100
      """;

  private static final String PARTITIONS =
      """
      with part as (
        select
          p.relname as parent, c.oid as id, c.relname = p.relname || '_rest' as rest,
          case
            when c.relname ~ '_[0-9]{8}$' then to_date(right(c.relname, 8), 'YYYYMMDD')
            when c.relname ~ '_[0-9]{6}$' then to_date(right(c.relname, 6), 'YYYYMM')
          end as day
        from pg_class p
        join pg_inherits i on i.inhparent = p.oid
        join pg_class c on c.oid = i.inhrelid
        where p.relnamespace = 'ebb'::regnamespace
          and p.relname in ('history', 'attempt', 'audit')
      )
      select
        parent as table, case when parent <> 'audit' then 'day' else 'month' end as unit,
        count(day)::int as count, min(day) as oldest, max(day) as newest,
        coalesce(
          case when parent <> 'audit' then max(day) - (now() at time zone 'UTC')::date
               else 12 * (extract(year from max(day)) - extract(year from u.today))
                 + extract(month from max(day)) - extract(month from u.today) end,
          -1)::int as ahead,
        coalesce(sum(pg_stat_get_live_tuples(id)) filter (where rest), 0)::bigint as default_rows
      from part
      cross join (select (now() at time zone 'UTC')::date as today) u
      group by parent, u.today
      order by parent
      """;

  // A trigger is named after the instant for which it stands. Of a schedule that fired or changed
  // just now, it may be on its way.
  private static final String SCHEDULES =
      """
      with late as (
        select
          s.name,
          (extract(epoch from statement_timestamp() - s.next_fire_at) * 1000000)::bigint as late_by
        from ebb.schedule s
        where s.paused_since is null and s.next_fire_at < statement_timestamp()
        order by s.next_fire_at
        limit 1
      ), settled as (
        select s.next_fire_at as at
        from ebb.schedule s
        where s.paused_since is null
          and s.next_fire_at > statement_timestamp() + interval '10 seconds'
          and s.changed_at < statement_timestamp() - interval '10 seconds'
          and not exists (
            select from ebb.schedule_fire f
            where f.schedule = s.name and f.fire_at > statement_timestamp() - interval '1 minute')
        order by s.next_fire_at
        limit 1
      )
      select
        exists (
          select
          from ebb.schedule s
          where s.paused_since is null and s.next_fire_at is not null
            -- Nodes take part in Quartz's cluster from the first schedule on.
            and s.created_at < statement_timestamp() - interval '10 seconds'
            and not exists (select from ebb.start where paused_since is not null)
        ) as awaited,
        late.name as late, late.late_by,
        (
          (select count(*) from ebb.qrtz_triggers t where t.trigger_state ~ '^(ERROR|PAUSED)')
          + (select count(*) from ebb.qrtz_paused_trigger_grps)
        )::int as halted,
        settled.at as missing
      from (select) one
      left join late on true
      left join settled on not exists (
        select from ebb.qrtz_triggers t
        where t.trigger_name =
          to_char(settled.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      """;

  private static final String CHECK_INS =
      """
      select
        q.instance_name as node,
        ((extract(epoch from statement_timestamp()) * 1000)::bigint - q.last_checkin_time) * 1000
          as age,
        exists (
          select from ebb.node n
          where n.name = q.instance_name and n.stopped_at is null
            and n.heartbeat_at >= statement_timestamp() - ? * interval '1 microsecond') as lives
      from ebb.qrtz_scheduler_state q
      order by q.last_checkin_time desc
      limit ?
      """;

  private SchemaReads() {}

  static Start start(Connection connection) throws SQLException {
    StartState state = PausedStart.read(connection);
    return new Start(state.pausedSince(), state.pausedBy());
  }

  static List<Table> tables(Connection connection) throws SQLException {
    return Statements.list(connection, TABLES, _ -> {}, row -> Rows.record(row, Table.class));
  }

  static List<Partitions> partitions(Connection connection) throws SQLException {
    return Statements.list(
        connection, PARTITIONS, _ -> {}, row -> Rows.record(row, Partitions.class));
  }

  /** The oldest due jobs of a page of queues, the oldest first. */
  static List<DueQueue> due(Connection connection) throws SQLException {
    Set<String> paused = Queues.pausedNames(connection);
    return OverviewReads.page(connection, "", QUEUES).queues().stream()
        .flatMap(queue -> queue.due(paused).stream())
        .sorted(Comparator.comparing(DueQueue::age).reversed())
        .limit(SHOWN)
        .toList();
  }

  /** Those of the nodes that live, the worst first. */
  static List<Clock> clocks(Connection connection) throws SQLException {
    return Nodes.page(connection, "", NODES).stream()
        .filter(SchemaReads::tellsItsClock)
        .map(node -> new Clock(node.facts().name(), Objects.requireNonNull(node.skew())))
        .sorted(Comparator.comparing((Clock clock) -> clock.skew().abs()).reversed())
        .limit(SHOWN)
        .toList();
  }

  private static boolean tellsItsClock(NodeView node) {
    return node.skew() != null
        && (node.state() == NodeView.State.RUNNING || node.state() == NodeView.State.DRAINING);
  }

  static Schedules schedules(Connection connection) throws SQLException {
    return Statements.one(connection, SCHEDULES, _ -> {}, row -> Rows.record(row, Schedules.class));
  }

  static List<CheckIn> checkIns(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        CHECK_INS,
        p -> p.micros(Nodes.LOST_AFTER).integer(NODES),
        row -> Rows.record(row, CheckIn.class));
  }
}
