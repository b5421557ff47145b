package dev.ebb.db.operation;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.view.JobScan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The items of operations: the jobs that they cover, and what became of each. */
final class OperationItems {
  /** At most so many wait for their turn, about. */
  private static final int MOST_WAITING = 1_000;

  private static final String ADD =
      """
      insert into ebb.operation_item (operation, job_id, queue)
      select ?, t.job_id, t.queue
      from unnest(?::uuid[], ?::text[]) t (job_id, queue)
      on conflict do nothing
      """;

  private static final String QUEUES_OF =
      """
      select t.id, coalesce(j.queue, d.queue, '') as queue
      from unnest(?::uuid[]) t (id)
      left join lateral (select queue from ebb.job j where j.id = t.id offset 0) j on true
      left join lateral (select queue from ebb.dead_letter d where d.id = t.id offset 0) d on true
      """;

  private static final String WAITING =
      """
      select count(*)
      from (
        select from ebb.operation_item i where i.operation = ? and i.result is null limit ?
      ) waiting
      """;

  // Behind the last queue the next one by name, and behind them all the first: none keeps the
  // others waiting.
  private static final String NEXT =
      """
      select i.job_id, i.queue
      from ebb.operation_item i
      where i.operation = ? and i.result is null
      order by case when ? then random() end, i.queue <= ?, i.queue, i.job_id desc
      limit ?
      """;

  private static final String NOTE =
      """
      update ebb.operation_item i
      set result = t.result,
        reason = t.reason,
        stage = ?,
        acted_at = statement_timestamp(),
        awaited = ? and t.result = 'done'
      from unnest(?::uuid[], ?::text[], ?::text[]) t (job_id, result, reason)
      where i.operation = ?
        and i.job_id = t.job_id
        and i.result is null
      """;

  private static final String FORGET_WAITING =
      """
      delete from ebb.operation_item i where i.operation = ? and i.result is null
      """;

  // What an operation acted on ended later, and nothing ended before it was made; clocks may be
  // off. A job that is live or dead needs no look at what ended.
  private static final String KNOWN_BY =
      """
      left join lateral (
        select unique_key, labels, destination from ebb.job j where j.id = n.job_id
        union all
        select unique_key, labels, destination from ebb.dead_letter d where d.id = n.job_id
        union all
        select unique_key, labels, destination
        from ebb.every_history h
        where h.id = n.job_id
          and h.ended_at >= greatest(
            ebb.made_at(n.job_id) - interval '1 day',
            case when n.result in ('done', 'requested') then n.begun - interval '1 hour' end)
        limit 1
      ) k on true
      """;

  private static final String PAGE =
      """
      select n.job_id, n.queue, n.result, n.reason, n.stage, n.acted_at, n.outcome,
        k.unique_key,
        ebb.subject((select s.subject from ebb.settings s), k.labels, k.destination) as subject
      from (
        select i.*, o.created_at as begun
        from ebb.operation_item i
        join ebb.operation o on o.id = i.operation
        where i.operation = ? and i.job_id > ?
        order by i.job_id
        limit ?
      ) n
      """
          + KNOWN_BY
          + """
          order by n.job_id
          """;

  // The stages take the newest jobs first, so that those of an early one are among
  // these, unless many were skipped.
  private static final String OF_STAGE =
      """
      select n.job_id, n.queue, n.result, n.reason, n.stage, n.acted_at, n.outcome,
        k.unique_key,
        ebb.subject((select s.subject from ebb.settings s), k.labels, k.destination) as subject
      from (
        select i.*
        from (
          select i.*, o.created_at as begun
          from ebb.operation_item i
          join ebb.operation o on o.id = i.operation
          where i.operation = ?
          order by i.job_id desc
          limit 2000
        ) i
        where i.stage = ?
        order by i.outcome = 'failed' desc nulls last, i.job_id desc
        limit ?
      ) n
      """
          + KNOWN_BY
          + """
          order by n.outcome = 'failed' desc nulls last, n.job_id desc
          """;

  private OperationItems() {}

  /**
   * What was done to a job.
   *
   * @param result {@code done}, {@code requested} or {@code skipped}
   */
  record Result(UUID job, String result, @Nullable String reason) {
    boolean isSkipped() {
      return result.equals("skipped");
    }
  }

  static void add(Connection connection, UUID operation, List<JobScan.FoundJob> jobs)
      throws SQLException {
    if (!jobs.isEmpty()) {
      Statements.update(
          connection,
          ADD,
          p ->
              p.id(operation)
                  .columns(jobs)
                  .ids(JobScan.FoundJob::id)
                  .text(JobScan.FoundJob::queue));
    }
  }

  /** The jobs with their queues, which are empty where a job is neither live nor dead. */
  static List<JobScan.FoundJob> queuesOf(Connection connection, List<UUID> ids)
      throws SQLException {
    return Statements.list(
        connection,
        QUEUES_OF,
        p -> p.ids(ids),
        row -> new JobScan.FoundJob(row.getObject("id", UUID.class), row.getString("queue")));
  }

  /** How many wait for their turn, counted up to a bound. */
  static int waiting(Connection connection, UUID operation) throws SQLException {
    return Statements.one(
        connection, WAITING, p -> p.id(operation).integer(MOST_WAITING), row -> row.getInt(1));
  }

  /**
   * Jobs that wait, in the order of their queues.
   *
   * @param last the queue of those that were taken last
   * @param shuffled so that one that cannot be taken does not keep the others waiting
   */
  static List<JobScan.FoundJob> next(
      Connection connection, UUID operation, String last, boolean shuffled, int most)
      throws SQLException {
    return Statements.list(
        connection,
        NEXT,
        p -> p.id(operation).flag(shuffled).text(last).integer(most),
        row -> new JobScan.FoundJob(row.getObject("job_id", UUID.class), row.getString("queue")));
  }

  /**
   * Notes what was done.
   *
   * @param awaited whether the operation waits for the end of the jobs' next attempts
   */
  static void note(
      Connection connection, UUID operation, int stage, boolean awaited, List<Result> results)
      throws SQLException {
    Statements.update(
        connection,
        NOTE,
        p -> {
          p.integer(stage).flag(awaited);
          p.columns(results).ids(Result::job).text(Result::result).text(Result::reason);
          p.id(operation);
        });
  }

  static void forgetWaiting(Connection connection, UUID operation) throws SQLException {
    Statements.update(connection, FORGET_WAITING, p -> p.id(operation));
  }

  /** The items behind a job's id, in the order of ids. */
  static List<OperationItem> page(Connection connection, UUID operation, UUID after, int limit)
      throws SQLException {
    return Statements.list(
        connection, PAGE, p -> p.id(operation).id(after).integer(limit), OperationItems::item);
  }

  static List<OperationItem> ofStage(Connection connection, UUID operation, int stage, int limit)
      throws SQLException {
    return Statements.list(
        connection,
        OF_STAGE,
        p -> p.id(operation).integer(stage).integer(limit),
        OperationItems::item);
  }

  private static OperationItem item(ResultSet row) throws SQLException {
    int stage = row.getInt("stage");
    return new OperationItem(
        row.getObject("job_id", UUID.class),
        row.getString("queue"),
        row.getString("result"),
        row.getString("reason"),
        stage == 0 ? null : (Integer) stage,
        Rows.instantOrNull(row, "acted_at"),
        row.getString("outcome"),
        row.getString("unique_key"),
        row.getString("subject"));
  }
}
