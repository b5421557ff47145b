package dev.ebb.db.view;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.FollowUpsJson;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.submit.Submitted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as people see it, whatever has become of it.
 *
 * @param attempt how often it was started, the running attempt included
 * @param node where it runs or last ran
 * @param lastError the failure of its last failed attempt
 * @param deadReason of a dead letter: why it was given up
 * @param payload {@code null} once it is in the history, or was erased
 * @param progress JSON text that its handler reported, while it runs
 * @param policy its own, {@code null} where its queue's applies
 * @param version of its row, which grows with every change; 0 once it is in the history
 * @param hold {@code null} unless it is held
 * @param destination where its delivery goes; {@code null} for another kind, and once it was erased
 * @param subject what it is about: the value of the label that people chose for that, or else the
 *     destination; {@code null} for neither, and where it was just submitted
 * @param blocked whether another job of its ordering key keeps it out of the claims' way
 * @param skipped whether people had others of its ordering key pass it; false in lists, and once it
 *     has ended
 * @param then what follows it, and what it follows; {@code null} for nothing, and in lists
 */
public record JobView(
    UUID id,
    String kind,
    String queue,
    int priority,
    JobState state,
    int attempt,
    int maxAttempts,
    Times times,
    @Nullable String node,
    @Nullable Failure lastError,
    @Nullable String deadReason,
    boolean cancelRequested,
    @Nullable String payload,
    @Nullable RetryPolicy policy,
    @Nullable String uniqueKey,
    @Nullable Duration timeout,
    Map<String, String> labels,
    @Nullable String progress,
    int version,
    @Nullable Hold hold,
    @Nullable String destination,
    @Nullable String subject,
    @Nullable String orderingKey,
    boolean blocked,
    boolean skipped,
    @Nullable FollowUps then) {
  /** What lists show of the view {@code every_job}: all but the payload. */
  static final String IN_LISTS =
      """
      id, queue, kind, priority, state, attempt, max_attempts, run_at, created_at, started_at,
      ended_at, node, failure_reason, failure, dead_reason, cancel_requested, policy, unique_key,
      timeout_millis, labels, progress, version, held, held_until, held_reason,
      destination, subject, ordering_key, blocked\
      """;

  /** A job that was just submitted. */
  public static JobView of(UUID id, NewJob job, Submitted.Stored stored) {
    return new JobView(
        id,
        job.kind(),
        job.queue(),
        job.priority(),
        JobState.AVAILABLE,
        0,
        stored.maxAttempts(),
        new Times(stored.runAt(), stored.createdAt(), null, null),
        null,
        null,
        null,
        false,
        job.payload(),
        job.policy(),
        job.uniqueKey(),
        job.timeout(),
        job.labels(),
        null,
        0,
        null,
        DeliveryJson.destination(job),
        null,
        job.orderingKey(),
        false,
        false,
        job.then());
  }

  /** Out of a row of {@code every_job} with what follows. */
  static JobView read(ResultSet row) throws SQLException {
    return read(row, row.getBoolean("skipped"), FollowUpsJson.read(row.getString("follow_ups")));
  }

  /** Out of a row of a list. */
  static JobView listed(ResultSet row) throws SQLException {
    return read(row, false, null);
  }

  private static JobView read(ResultSet row, boolean skipped, @Nullable FollowUps then)
      throws SQLException {
    int timeoutMillis = row.getInt("timeout_millis");
    return new JobView(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getString("queue"),
        row.getInt("priority"),
        JobState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getInt("attempt"),
        row.getInt("max_attempts"),
        times(row),
        row.getString("node"),
        failure(row),
        row.getString("dead_reason"),
        row.getBoolean("cancel_requested"),
        row.getString("payload"),
        StoredSettings.policy(row.getString("policy")),
        row.getString("unique_key"),
        timeoutMillis == 0 ? null : Duration.ofMillis(timeoutMillis),
        StoredSettings.labels(row.getString("labels")),
        row.getString("progress"),
        row.getInt("version"),
        hold(row),
        row.getString("destination"),
        row.getString("subject"),
        row.getString("ordering_key"),
        row.getBoolean("blocked"),
        skipped,
        then);
  }

  private static Times times(ResultSet row) throws SQLException {
    return new Times(
        Rows.instant(row, "run_at"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "started_at"),
        Rows.instantOrNull(row, "ended_at"));
  }

  private static @Nullable Hold hold(ResultSet row) throws SQLException {
    return row.getBoolean("held")
        ? new Hold(Rows.instantOrNull(row, "held_until"), row.getString("held_reason"))
        : null;
  }

  private static @Nullable Failure failure(ResultSet row) throws SQLException {
    String reason = row.getString("failure_reason");
    return reason == null ? null : new Failure(reason, row.getString("failure"));
  }

  /**
   * When what happens to a job.
   *
   * @param runAt the earliest instant at which it may run next, were it not held
   * @param startedAt when the last attempt started; {@code null} before the first
   * @param endedAt when it reached a state that ends it, dead letter included
   */
  public record Times(
      Instant runAt, Instant createdAt, @Nullable Instant startedAt, @Nullable Instant endedAt) {}

  /**
   * What keeps a job from being claimed.
   *
   * @param until when it ends by itself; {@code null} for never
   * @param reason why somebody wanted it
   */
  public record Hold(@Nullable Instant until, @Nullable String reason) {}
}
