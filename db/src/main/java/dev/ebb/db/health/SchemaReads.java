package dev.ebb.db.health;

import dev.ebb.core.health.SchemaHealth.Clock;
import dev.ebb.core.health.SchemaHealth.Due;
import dev.ebb.core.health.SchemaHealth.Partitions;
import dev.ebb.core.health.SchemaHealth.Start;
import dev.ebb.core.health.SchemaHealth.Table;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.node.NodeView;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartState;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.QueueStat;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
          count(*)::int as parts,
          case when not bool_or(p.shut)
               then sum(case when not p.shut then pg_table_size(p.id) end)::bigint end as bytes,
          case when not bool_or(p.shut)
               then sum(case when not p.shut then pg_indexes_size(p.id) end)::bigint end
            as index_bytes,
          sum(pg_stat_get_live_tuples(p.id))::bigint as live,
          sum(pg_stat_get_dead_tuples(p.id))::bigint as dead,
          sum(least(
            coalesce(p.threshold, current_setting('autovacuum_vacuum_threshold')::float8)
              + coalesce(p.scale, current_setting('autovacuum_vacuum_scale_factor')::float8)
                * greatest(p.reltuples, 0),
            nullif(current_setting('autovacuum_vacuum_max_threshold')::float8, -1)))::bigint
            as vacuum_from,
          bool_and(coalesce(p.enabled, true)) as vacuumable,
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
        parent, parent <> 'audit' as days, count(day)::int as number, min(day) as oldest,
        max(day) as newest,
        coalesce(
          case when parent <> 'audit' then max(day) - (now() at time zone 'UTC')::date
               else 12 * (extract(year from max(day)) - extract(year from u.today))
                 + extract(month from max(day)) - extract(month from u.today) end,
          -1)::int as ahead,
        coalesce(sum(pg_stat_get_live_tuples(id)) filter (where rest), 0)::bigint as rest
      from part
      cross join (select (now() at time zone 'UTC')::date as today) u
      group by parent, u.today
      order by parent
      """;

  private static final String PAUSED =
      """
      select q.name
      from ebb.queue q
      where q.paused and coalesce(q.paused_until > statement_timestamp(), true)
      limit 10000
      """;

  private SchemaReads() {}

  static Start start(Connection connection) throws SQLException {
    StartState state = PausedStart.read(connection);
    return new Start(state.pausedSince(), state.pausedBy());
  }

  static List<Table> tables(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        TABLES,
        _ -> {},
        row ->
            new Table(
                row.getString("name"),
                row.getInt("parts"),
                row.getObject("bytes", Long.class),
                row.getObject("index_bytes", Long.class),
                row.getLong("live"),
                row.getLong("dead"),
                row.getLong("vacuum_from"),
                row.getBoolean("vacuumable"),
                Rows.instantOrNull(row, "vacuumed_at"),
                Rows.instantOrNull(row, "analyzed_at")));
  }

  static List<Partitions> partitions(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        PARTITIONS,
        _ -> {},
        row ->
            new Partitions(
                row.getString("parent"),
                row.getBoolean("days"),
                row.getInt("number"),
                date(row, "oldest"),
                date(row, "newest"),
                row.getInt("ahead"),
                row.getLong("rest")));
  }

  private static @Nullable LocalDate date(ResultSet row, String column) throws SQLException {
    return row.getObject(column, LocalDate.class);
  }

  /** The oldest due jobs of a page of queues, the oldest first. */
  static List<Due> due(Connection connection) throws SQLException {
    Set<String> paused =
        new HashSet<>(Statements.list(connection, PAUSED, _ -> {}, row -> row.getString("name")));
    List<Due> due = new ArrayList<>();
    for (QueueStat queue : OverviewReads.page(connection, "", QUEUES).queues()) {
      if (queue.oldestDue() != null) {
        due.add(new Due(queue.queue(), queue.oldestDue(), paused.contains(queue.queue())));
      }
    }
    due.sort(Comparator.comparing(Due::age).reversed());
    return due.stream().limit(SHOWN).toList();
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
}
