package dev.ebb.db;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Job;
import dev.ebb.core.RateLimit;
import dev.ebb.core.RetryPolicy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The one place where a row becomes a value. */
final class JobRow {
  static final RetryPolicy DEFAULT_POLICY = RetryPolicy.preset("default");

  private static final RateLimit ONE_A_SECOND = RateLimit.of(1, Duration.ZERO, 1);

  private static final Logger log = LoggerFactory.getLogger(JobRow.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};
  private static final int REMEMBERED_POLICIES = 1000;
  private static final Map<String, RetryPolicy> POLICIES = new ConcurrentHashMap<>();

  private JobRow() {}

  /**
   * A claimed job. The row starts with id, version, lease, kind, priority, payload and its bytes,
   * attempt, max attempts, polls, last delay in microseconds, timeout in milliseconds, cancel
   * requested, the start of the budget, and the job's own policy: by place, because a claim reads
   * many of them.
   *
   * @param queuePolicy of a job that has none
   */
  static Claimed claimed(ResultSet row, String queue, RetryPolicy queuePolicy) throws SQLException {
    int timeoutMillis = row.getInt(12);
    Job job =
        new Job(
            row.getObject(1, UUID.class),
            queue,
            row.getString(4),
            row.getInt(5),
            row.getString(6),
            row.getInt(8) + 1,
            row.getInt(9),
            row.getInt(10),
            row.getObject(14, OffsetDateTime.class).toInstant(),
            Duration.of(row.getLong(11), ChronoUnit.MICROS),
            policy(row.getString(15), queuePolicy),
            timeoutMillis == 0 ? null : Duration.ofMillis(timeoutMillis),
            row.getBoolean(13));
    return new Claimed(job, row.getLong(3), row.getInt(2), row.getInt(7));
  }

  static RetryPolicy policy(@Nullable String json, RetryPolicy otherwise) {
    RetryPolicy policy = policy(json);
    return policy == null ? otherwise : policy;
  }

  static @Nullable RetryPolicy policy(@Nullable String json) {
    if (json == null) {
      return null;
    }
    if (POLICIES.size() > REMEMBERED_POLICIES) {
      POLICIES.clear();
    }
    return POLICIES.computeIfAbsent(json, JobRow::readPolicy);
  }

  /** A policy that a newer version wrote must not keep this one from claiming and rescuing. */
  private static RetryPolicy readPolicy(String json) {
    try {
      return PolicyJson.read(JSON.readTree(json));
    } catch (InvalidInput e) {
      log.error("a stored policy is not one that this version knows, using the default: {}", json);
      return DEFAULT_POLICY;
    }
  }

  static @Nullable RateLimit rateLimit(@Nullable String json) {
    return json == null ? null : readRateLimit(json);
  }

  /** A limit that a newer version wrote must not keep this one from its other queues. */
  private static RateLimit readRateLimit(String json) {
    try {
      return RateLimitJson.stored(JSON.readTree(json));
    } catch (InvalidInput e) {
      log.error("a stored limit is not one that this version knows, using one a second: {}", json);
      return ONE_A_SECOND;
    }
  }

  static Map<String, String> labels(@Nullable String json) {
    return json == null ? Map.of() : JSON.readValue(json, LABELS);
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
