package dev.ebb.db.view;

import dev.ebb.contract.JobCount;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of a filter: the newest one by one, up to a number; those behind them by a sample
 * of the tables' blocks, and exactly where {@link WaitingCounts} or {@link KnownCounts} can.
 */
final class JobCounts {
  /** How many blocks of the tables a sample reads, about. */
  static final int SAMPLED_BLOCKS = 300;

  /** The same where each row costs a look at its attempts or its payload. */
  static final int DEAR_BLOCKS = 50;

  /** How many more jobs have the term, at most. */
  private static final int MANY_TERMS = 200_000;

  private static final String COUNT =
      """
      select r.scanned, r.farthest as oldest, now() as as_of, p.phase, p.jobs
      from reach r
      left join (select phase, count(*) as jobs from picked group by phase) p on true
      """;

  // Those that are gone are among them.
  private static final String OLDER =
      """
      select count(*)
      from (select from ebb.every_term t where t.term = ? and t.id < ? limit ?) older
      """;

  private static final String SAMPLE =
      "with "
          + FilterSql.WANTED
          + """
          , scanned as materialized (
            %1$s
            from ebb.job j tablesample system (?::real)
            where ? and j.id < ?
            union all
            %2$s
            from ebb.dead_letter d tablesample system (?::real)
            where ? and d.id < ?
            union all
            %3$s
            from ebb.history h tablesample system (?::real)
            where ? and h.id < ?
          )
          """
              .formatted(FilterSql.LIVE, FilterSql.DEAD, FilterSql.ENDED)
          + FilterSql.PICKED.formatted("desc")
          + """
          select phase, count(*) as jobs from picked group by phase
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
  private record Newest(int scanned, @Nullable UUID oldest, Instant asOf) {}

  private JobCounts() {}

  private static final String BY_QUEUE =
      """
      select s.queue, count(*) as jobs
      from picked p
      join scanned s on s.id = p.id
      group by s.queue
      order by jobs desc, s.queue
      limit 100
      """;

  private static final String BY_FAILURE =
      """
      select
        d.failure_reason, count(*) as jobs, min(d.died_at) as first, max(d.died_at) as last
      from picked p
      join ebb.dead_letter d on d.id = p.id
      group by d.failure_reason
      order by jobs desc, d.failure_reason
      limit 100
      """;

  /**
   * Counts the filter's jobs.
   *
   * @param depth how many jobs are counted one by one
   */
  static JobCount count(Connection connection, JobFilter filter, SearchDepth depth)
      throws SQLException {
    PageSql.Reach reach = depth.reach(connection, filter, JobOrder.NEWEST, null);
    Map<String, Long> phases = new TreeMap<>();
    Newest newest =
        Statements.list(
                connection,
                sql(reach, COUNT),
                p -> bind(p, reach),
                row -> {
                  add(phases, row, 1);
                  return newest(row);
                })
            .getFirst();
    UUID oldest = newest.oldest();
    if (newest.scanned() < reach.scan() || oldest == null) {
      return counted(phases, true, true, newest.asOf());
    }
    Map<String, Long> waiting = WaitingCounts.of(connection, filter);
    if (waiting != null) {
      return counted(waiting, true, true, newest.asOf());
    }
    if (!addOlder(connection, reach, newest, phases)) {
      addOlder(connection, filter, oldest, phases);
    }
    boolean exact = KnownCounts.put(connection, filter, phases);
    return counted(phases, exact, false, newest.asOf());
  }

  private static String sql(PageSql.Reach reach, String rest) {
    return PageSql.of(reach) + rest;
  }

  private static void bind(Parameters parameters, PageSql.Reach reach) throws SQLException {
    PageSql.bind(parameters, reach);
    parameters.integer(reach.scan());
  }

  /** The same by queue, of those that are counted exactly. */
  static Map<String, Long> byQueue(Connection connection, JobFilter filter, SearchDepth depth)
      throws SQLException {
    Map<String, Long> queues = new LinkedHashMap<>();
    PageSql.Reach reach = depth.reach(connection, filter, JobOrder.NEWEST, null);
    Statements.list(
            connection,
            sql(reach, BY_QUEUE),
            p -> bind(p, reach),
            row -> Map.entry(row.getString("queue"), row.getLong("jobs")))
        .forEach(entry -> queues.put(entry.getKey(), entry.getValue()));
    return queues;
  }

  /** The same of dead letters by what they died of. */
  static List<FailureCount> byFailure(Connection connection, JobFilter filter, SearchDepth depth)
      throws SQLException {
    PageSql.Reach reach = depth.reach(connection, filter, JobOrder.NEWEST, null);
    return Statements.list(
        connection,
        sql(reach, BY_FAILURE),
        p -> bind(p, reach),
        row ->
            new FailureCount(
                row.getString("failure_reason"),
                row.getLong("jobs"),
                Rows.instant(row, "first"),
                Rows.instant(row, "last")));
  }

  private static Newest newest(ResultSet row) throws SQLException {
    return new Newest(
        row.getInt("scanned"), row.getObject("oldest", UUID.class), Rows.instant(row, "as_of"));
  }

  private static boolean add(Map<String, Long> phases, ResultSet row, double scale)
      throws SQLException {
    String phase = row.getString("phase");
    if (phase != null) {
      phases.merge(phase, Math.round(row.getLong("jobs") * scale), Long::sum);
    }
    return phase != null;
  }

  /**
   * Adds as many as there are if older jobs that an index names are as those that were counted; not
   * if it names none, or too many to count.
   */
  private static boolean addOlder(
      Connection connection, PageSql.Reach reach, Newest newest, Map<String, Long> phases)
      throws SQLException {
    long older = older(connection, reach, newest);
    double share = 1 + (double) older / newest.scanned();
    if (older < MANY_TERMS) {
      phases.replaceAll((_, jobs) -> Math.round(jobs * share));
    }
    return older < MANY_TERMS;
  }

  private static long older(Connection connection, PageSql.Reach reach, Newest newest)
      throws SQLException {
    Long term = reach.term();
    if (term != null) {
      UUID oldest = Objects.requireNonNull(newest.oldest());
      return Statements.one(
          connection,
          OLDER,
          p -> p.bigint(term).id(oldest).integer(MANY_TERMS),
          row -> row.getLong(1));
    }
    return reach.due() == null ? MANY_TERMS : Math.max(0, reach.due().jobs() - newest.scanned());
  }

  /** Adds how many of the jobs below the id there are, about. */
  private static void addOlder(
      Connection connection, JobFilter filter, UUID below, Map<String, Long> phases)
      throws SQLException {
    long blocks =
        Statements.one(connection, BLOCKS, p -> bindTables(p, filter), row -> row.getLong(1));
    int most = FilterSql.isDear(filter) ? DEAR_BLOCKS : SAMPLED_BLOCKS;
    double percent = Math.min(100, 100.0 * most / Math.max(1, blocks));
    var _ =
        Statements.list(
            connection,
            SAMPLE,
            p -> bindSample(p, filter, percent, below),
            row -> add(phases, row, 100 / percent));
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
    FilterSql.bindDead(parameters, filter);
    parameters.real(percent).flag(FilterSql.wantsDead(filter)).id(below);
    parameters.real(percent).flag(FilterSql.wantsEnded(filter)).id(below);
    parameters.integer(Integer.MAX_VALUE);
  }

  private static JobCount counted(
      Map<String, Long> byState, boolean exact, boolean statesExact, Instant asOf) {
    long count = byState.values().stream().mapToLong(Long::longValue).sum();
    return new JobCount(count, byState, exact, statesExact, asOf);
  }
}
