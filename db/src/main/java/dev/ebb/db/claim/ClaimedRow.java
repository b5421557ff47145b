package dev.ebb.db.claim;

import dev.ebb.core.job.Job;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.StoredSettings;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** The row of a job that was claimed, or whose lease expired, as a value. */
public final class ClaimedRow {
  /**
   * The start of the budget of {@code ebb.job j}: when it was redriven or submitted, or the later
   * time for which somebody asked. That time is its {@code run_at} until its first attempt ends,
   * which has {@code redriven_at} keep it; a hold does not count.
   */
  public static final String BUDGET_FROM =
      """
      coalesce(
        j.redriven_at,
        case
          when j.attempt > 0 or j.snoozes > 0 then j.created_at
          else greatest(
            j.created_at,
            case when j.held_version = j.version then j.held_run_at else j.run_at end)
        end)\
      """;

  private ClaimedRow() {}

  /**
   * A job under a lease. The row starts with id, version, lease, kind, priority, payload and its
   * bytes, attempt, max attempts, snoozes, last delay in microseconds, timeout in milliseconds,
   * cancel requested, the start of the budget, the job's own policy, and its subject: by place,
   * because a claim reads many of them. It has {@code ordered} and {@code followed}.
   *
   * @param queuePolicy of a job that has none
   */
  public static ClaimedJob leased(ResultSet row, String queue, RetryPolicy queuePolicy)
      throws SQLException {
    Job job = job(row, queue, new QueueDefaults(queuePolicy, null, null));
    return new ClaimedJob(
        job,
        row.getLong(3),
        row.getInt(2),
        row.getInt(7),
        row.getString(16),
        null,
        row.getBoolean("ordered"),
        row.getBoolean("followed"),
        null);
  }

  /**
   * A due job, which has no lease; the row goes on with its queue, for how many microseconds it has
   * been due, that it is one, whether it has an ordering key, no others that wait for their turn,
   * whether something may follow it, and its trace.
   */
  static DueJob due(ResultSet row, String queue, QueueDefaults defaults, Instant now)
      throws SQLException {
    Job job = job(row, queue, defaults);
    boolean delivers = defaults.delivers(job);
    long late = row.getLong(18);
    Instant runAt = now.minus(late, ChronoUnit.MICROS);
    return new DueJob(
        defaults.inTime(delivers ? defaults.timed(job) : job, runAt, now),
        row.getInt(2),
        row.getInt(7),
        row.getString(16),
        delivers,
        runAt,
        late,
        row.getBoolean(20),
        row.getBoolean(22),
        row.getString(23));
  }

  /**
   * A row as {@link #due} reads it that is no due job: those that wait for their turn, as an array
   * of ids, or the last job of a stretch.
   */
  static void other(ResultSet row, Instant now, DueJobs due) throws SQLException {
    Array blocked = row.getArray(21);
    if (blocked == null) {
      Instant runAt = now.minus(row.getLong(18), ChronoUnit.MICROS);
      due.ends().put(row.getInt(5), runAt, row.getObject(1, UUID.class));
    } else {
      due.blocked().addAll(List.of((UUID[]) blocked.getArray()));
    }
  }

  private static Job job(ResultSet row, String queue, QueueDefaults defaults) throws SQLException {
    int timeoutMillis = row.getInt(12);
    return new Job(
        row.getObject(1, UUID.class),
        row.getString(4),
        queue,
        row.getInt(5),
        row.getString(6),
        row.getInt(8) + 1,
        row.getInt(9),
        row.getInt(10),
        row.getObject(14, OffsetDateTime.class).toInstant(),
        Duration.of(row.getLong(11), ChronoUnit.MICROS),
        StoredSettings.policy(row.getString(15), defaults.policy()),
        timeoutMillis == 0 ? null : Duration.ofMillis(timeoutMillis),
        row.getBoolean(13),
        defaults.destination());
  }
}
