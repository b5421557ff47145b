package dev.ebb.db;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NewJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** The verb submit: any number of new jobs in one statement, duplicates left out. */
final class Submit {
  static final int MAX_JOBS = 1000;

  private static final JsonFactory STRICT_JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final JsonMapper LABELS = new JsonMapper();

  // Inserted in the order of the unique keys: two batches that share keys wait for each other, and
  // do not deadlock.
  private static final String INSERT =
      """
      with input as materialized (
        select uuidv7() as id, n.*
        from unnest(
          ?::text[], ?::text[], ?::smallint[], ?::timestamptz[], ?::bigint[], ?::integer[],
          ?::jsonb[], ?::text[], ?::integer[], ?::jsonb[], ?::text[]
        ) with ordinality as n (
          queue, kind, priority, run_at, delay_micros, max_attempts,
          policy, unique_key, timeout_millis, labels, payload, place)
      ), stored as (
        insert into ebb.job (
          id, queue, kind, priority, run_at, max_attempts,
          policy, unique_key, timeout_millis, labels, payload)
        select
          i.id, i.queue, i.kind, i.priority,
          coalesce(i.run_at, now() + coalesce(i.delay_micros, 0) * interval '1 microsecond'),
          coalesce(
            i.max_attempts, (i.policy ->> 'maxAttempts')::integer,
            (q.policy ->> 'maxAttempts')::integer, ?),
          i.policy, i.unique_key, i.timeout_millis, i.labels, i.payload
        from input i
        left join ebb.queue q on q.name = i.queue
        order by i.kind, i.unique_key, i.place
        on conflict (kind, unique_key) where unique_key is not null do nothing
        returning id
      )
      select i.id, i.id in (select id from stored) as is_stored
      from input i
      order by i.place
      """;

  private static final String HOLDER =
      """
      select id from ebb.job where kind = ? and unique_key = ?
      """;

  private Submit() {}

  static List<Submitted> submit(Connection connection, List<NewJob> jobs) throws SQLException {
    require(jobs.size() <= MAX_JOBS, "jobs", "must be at most " + MAX_JOBS);
    jobs.forEach(job -> requireJson(job.payload()));
    List<Submitted> answers = insert(connection, jobs);
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).duplicate()) {
        answers.set(i, duplicate(connection, jobs.get(i)));
      }
    }
    return answers;
  }

  /** Before any statement: one that failed would abort the caller's transaction. */
  private static void requireJson(String payload) {
    try (JsonParser parser = STRICT_JSON.createParser(ObjectReadContext.empty(), payload)) {
      require(parser.nextToken() != null, "payload", "must be a JSON value");
      parser.skipChildren();
      require(parser.nextToken() == null, "payload", "must be one JSON value");
    } catch (JacksonException e) {
      throw new InvalidInput("payload", "must be JSON: " + e.getOriginalMessage());
    }
  }

  private static List<Submitted> insert(Connection connection, List<NewJob> jobs)
      throws SQLException {
    List<Submitted> answers = new ArrayList<>(jobs.size());
    if (jobs.isEmpty()) {
      return answers;
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      bind(connection, statement, jobs);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.add(new Submitted(rows.getObject(1, UUID.class), !rows.getBoolean(2)));
        }
      }
    }
    return answers;
  }

  private static void bind(Connection connection, PreparedStatement statement, List<NewJob> jobs)
      throws SQLException {
    statement.setArray(1, Arrays.of(connection, "text", jobs, NewJob::queue));
    statement.setArray(2, Arrays.of(connection, "text", jobs, NewJob::kind));
    statement.setArray(3, Arrays.of(connection, "smallint", jobs, NewJob::priority));
    statement.setArray(4, Arrays.of(connection, "text", jobs, job -> text(job.runAt())));
    statement.setArray(
        5,
        Arrays.of(
            connection,
            "bigint",
            jobs,
            job -> job.delay() == null ? null : Arrays.micros(job.delay())));
    statement.setArray(6, Arrays.of(connection, "integer", jobs, NewJob::maxAttempts));
    statement.setArray(
        7,
        Arrays.of(
            connection,
            "text",
            jobs,
            job -> job.policy() == null ? null : PolicyJson.write(job.policy()).toString()));
    statement.setArray(8, Arrays.of(connection, "text", jobs, NewJob::uniqueKey));
    statement.setArray(
        9,
        Arrays.of(
            connection,
            "integer",
            jobs,
            job -> job.timeout() == null ? null : (int) job.timeout().toMillis()));
    statement.setArray(
        10,
        Arrays.of(
            connection,
            "text",
            jobs,
            job -> job.labels().isEmpty() ? null : LABELS.writeValueAsString(job.labels())));
    statement.setArray(11, Arrays.of(connection, "text", jobs, NewJob::payload));
    statement.setInt(12, JobRow.DEFAULT_POLICY.maxAttempts());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** The job that holds the key; where that one ended meanwhile, the key is free: once more. */
  private static Submitted duplicate(Connection connection, NewJob job) throws SQLException {
    for (int tries = 0; tries < 10; tries++) {
      UUID holder = holder(connection, job);
      if (holder != null) {
        return new Submitted(holder, true);
      }
      Submitted again = insert(connection, List.of(job)).getFirst();
      if (!again.duplicate()) {
        return again;
      }
    }
    throw new SQLException("the holder of unique key " + job.uniqueKey() + " is not visible here");
  }

  private static @Nullable UUID holder(Connection connection, NewJob job) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HOLDER)) {
      statement.setString(1, job.kind());
      statement.setString(2, job.uniqueKey());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getObject(1, UUID.class) : null;
      }
    }
  }
}
