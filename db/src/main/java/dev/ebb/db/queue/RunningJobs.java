package dev.ebb.db.queue;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells which nodes run a queue's jobs, from the leases: those that run for longest first. */
public final class RunningJobs {
  /** How many jobs that leases name are looked at, at most; of more the oldest. */
  static final int BUDGET = 5_000;

  /** How many nodes are told, at most. */
  static final int MOST_NODES = 100;

  private static final String BY_NODE =
      """
      with named as materialized (
        select l.id, l.version, l.node, l.claimed_at
        from ebb.leased l
        where l.queue = ?
        order by l.claimed_at, l.id
        limit ?
      ), running as materialized (
        select n.id, n.node, n.claimed_at, j.kind, j.attempt + 1 as attempt
        from named n
        -- With the offset, each job is looked up.
        cross join lateral (
          select * from ebb.job e where e.id = n.id and e.version = n.version offset 0
        ) j
      ), oldest as (
        select distinct on (r.node) r.*, count(*) over (partition by r.node) as jobs
        from running r
        order by r.node, r.claimed_at, r.id
      )
      select
        now() as as_of,
        (select count(*) from named) as looked,
        (select count(*) from running) as all_jobs,
        o.*
      from (select) as one
      left join (select * from oldest order by claimed_at, id limit ?) o on true
      order by o.claimed_at, o.id
      """;

  private final Database database;

  public RunningJobs(Database database) {
    this.database = database;
  }

  /**
   * What runs.
   *
   * @param asOf the database's clock
   * @param exact whether all of them were looked at; otherwise there are more
   * @param jobs how many were found, on all nodes
   * @param nodes at most {@value #MOST_NODES}
   */
  public record RunningCount(Instant asOf, boolean exact, long jobs, List<OfNode> nodes) {}

  /** How many jobs of a queue a node runs, and the one that it runs for longest. */
  public record OfNode(String node, long jobs, Oldest oldest) {}

  /**
   * A job that runs.
   *
   * @param attempt the number of the attempt that runs
   */
  public record Oldest(UUID id, String kind, int attempt, Instant startedAt) {}

  /** A row: no node where nothing runs. */
  private record Row(Instant asOf, long looked, long jobs, @Nullable OfNode node) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          Rows.instant(row, "as_of"),
          row.getLong("looked"),
          row.getLong("all_jobs"),
          row.getString("node") == null ? null : node(row));
    }

    private static OfNode node(ResultSet row) throws SQLException {
      Oldest oldest =
          new Oldest(
              row.getObject("id", UUID.class),
              row.getString("kind"),
              row.getInt("attempt"),
              Rows.instant(row, "claimed_at"));
      return new OfNode(row.getString("node"), row.getLong("jobs"), oldest);
    }
  }

  /** Those of the queue. */
  public RunningCount of(String queue) throws SQLException {
    List<Row> rows =
        database.inAutocommit(connection ->
            Statements.list(
                connection,
                BY_NODE,
                p -> p.text(queue).integer(BUDGET + 1).integer(MOST_NODES),
                Row::read));
    Row any = rows.getFirst();
    return new RunningCount(
        any.asOf(),
        any.looked() <= BUDGET,
        any.jobs(),
        rows.stream().map(Row::node).filter(Objects::nonNull).toList());
  }
}
