package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of a filter: the newest exactly, up to a budget of rows; those behind them by a
 * sample of the tables' blocks.
 */
final class JobCounts {
  /** How many rows are counted exactly, at most. */
  static final int BUDGET = 10_000;

  /** How many blocks of the tables a sample reads, about. */
  static final int SAMPLED_BLOCKS = 300;

  /** The same where each row costs a look at its attempts or its payload. */
  static final int DEAR_BLOCKS = 50;

  private static final String COUNT =
      "with "
          + FilterSql.WANTED
          + FilterSql.NEWEST
          + FilterSql.PICKED
          + """
          select
            (select count(*) from scanned) as scanned,
            (select count(*) from picked) as picked,
            (select id from scanned order by id limit 1) as oldest,
            now() as as_of
          """;

  private static final String SAMPLE =
      "with "
          + FilterSql.WANTED
          + """
          , scanned as materialized (
            select
              j.id, j.queue, j.kind, j.created_at, j.run_at, j.attempt, j.unique_key, j.labels,
              (j.id, j.version) in (select id, version from running) as runs,
              ebb.is_held(j.held_version, j.version, j.held_until) as held,
              null as ended, null as failure, case when ? then j.payload end as payload
            from ebb.job j tablesample system (?::real)
            where ? and j.id < ?
            union all
            select
              d.id, d.queue, d.kind, d.created_at, d.run_at, d.attempt, d.unique_key, d.labels,
              false, false, 'dead_letter',
              case when ? then concat_ws(' ', d.failure_reason, d.failure) end,
              case when ? then d.payload end
            from ebb.dead_letter d tablesample system (?::real)
            where ? and d.id < ?
            union all
            select
              h.id, h.queue, h.kind, h.created_at, h.run_at, h.attempt, h.unique_key, h.labels,
              false, false, case when h.cancelled then 'cancelled' else 'completed' end, null, null
            from ebb.history h tablesample system (?::real)
            where ? and h.id < ?
          )
          """
          + FilterSql.PICKED
          + """
          select count(*) as picked from picked
          """;

  private static final String BLOCKS =
      """
      select (
        case when ? then pg_relation_size('ebb.job') else 0 end
        + case when ? then pg_relation_size('ebb.dead_letter') else 0 end
        + case when ? then (
          select sum(pg_relation_size(p.relid))::bigint
          from pg_partition_tree('ebb.history') p
          where p.isleaf
        ) else 0 end
      ) / current_setting('block_size')::bigint as blocks
      """;

  /** What was counted exactly; the oldest is {@code null} where there was no job. */
  private record Newest(int scanned, long picked, @Nullable UUID oldest, Instant asOf) {}

  private JobCounts() {}

  static JobCount count(Connection connection, JobFilter filter) throws SQLException {
    int scan = FilterSql.isDear(filter) ? JobLists.DEAR_SCAN : BUDGET;
    Newest newest =
        Statements.list(connection, COUNT, p -> bindNewest(p, filter, scan), JobCounts::newest)
            .getFirst();
    UUID oldest = newest.oldest();
    if (newest.scanned() < scan || oldest == null) {
      return new JobCount(newest.picked(), true, newest.asOf());
    }
    long older = estimate(connection, filter, oldest);
    return new JobCount(newest.picked() + older, false, newest.asOf());
  }

  private static void bindNewest(Parameters parameters, JobFilter filter, int scan)
      throws SQLException {
    FilterSql.bindNewest(parameters, filter, null, scan);
    parameters.integer(scan);
  }

  private static Newest newest(ResultSet row) throws SQLException {
    return new Newest(
        row.getInt("scanned"),
        row.getLong("picked"),
        row.getObject("oldest", UUID.class),
        Rows.instant(row, "as_of"));
  }

  /** How many of the jobs below the id there are, about. */
  private static long estimate(Connection connection, JobFilter filter, UUID below)
      throws SQLException {
    long blocks =
        Statements.list(connection, BLOCKS, p -> bindTables(p, filter), row -> row.getLong(1))
            .getFirst();
    int most = FilterSql.isDear(filter) ? DEAR_BLOCKS : SAMPLED_BLOCKS;
    double percent = Math.min(100, 100.0 * most / Math.max(1, blocks));
    long found =
        Statements.list(
                connection,
                SAMPLE,
                p -> bindSample(p, filter, percent, below),
                row -> row.getLong(1))
            .getFirst();
    return Math.round(found * 100 / percent);
  }

  private static void bindTables(Parameters parameters, JobFilter filter) throws SQLException {
    parameters
        .flag(FilterSql.wantsLive(filter))
        .flag(FilterSql.wantsDead(filter))
        .flag(FilterSql.wantsEnded(filter));
  }

  private static void bindSample(
      Parameters parameters, JobFilter filter, double percent, UUID below) throws SQLException {
    FilterSql.bindWanted(parameters, filter);
    boolean payload = filter.payload() != null;
    parameters.flag(payload).real(percent).flag(FilterSql.wantsLive(filter)).id(below);
    parameters.flag(FilterSql.isDear(filter)).flag(payload);
    parameters.real(percent).flag(FilterSql.wantsDead(filter)).id(below);
    parameters.real(percent).flag(FilterSql.wantsEnded(filter)).id(below);
    parameters.integer(Integer.MAX_VALUE);
  }
}
