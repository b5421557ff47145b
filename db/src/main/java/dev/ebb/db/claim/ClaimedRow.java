package dev.ebb.db.claim;

import dev.ebb.core.job.Job;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.StoredSettings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
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
   * A job whose lease expired. The row starts with id, version, lease, kind, priority, payload and
   * its bytes, attempt, max attempts, snoozes, last delay in microseconds, timeout in milliseconds,
   * cancel requested, the start of the budget, the job's own policy, and its subject: by place,
   * because a claim reads many of them.
   *
   * @param queuePolicy of a job that has none
   */
  public static ClaimedJob read(ResultSet row, String queue, RetryPolicy queuePolicy)
      throws SQLException {
    Job job = job(row, queue, new QueueDefaults(queuePolicy, null, null));
    return new ClaimedJob(
        job, row.getLong(3), row.getInt(2), row.getInt(7), row.getString(16), null);
  }

  /**
   * A due job, which has no lease; the row ends with its queue, and for how many microseconds it
   * has been due.
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
        late);
  }

  /** A row as {@link #due} reads it, of the last job of a stretch. */
  static void end(ResultSet row, Instant now, ScanCursor.Batch ends) throws SQLException {
    Instant runAt = now.minus(row.getLong(18), ChronoUnit.MICROS);
    ends.put(row.getInt(5), runAt, row.getObject(1, UUID.class));
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
