package dev.ebb.spring.test;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * The jobs in the database of a test, and what was run of them. Both are in the transaction of the
 * thread, if there is one, so that they roll back together.
 */
final class StoredJobs {
  private static final String SUBMITTED =
      """
      select
        j.id, j.kind, j.queue, j.payload::text, j.ordering_key, j.run_at, j.created_at, j.priority,
        j.max_attempts, j.timeout_millis, j.traceparent,
        coalesce(j.unique_key, r.unique_key) as unique_key,
        array(select l.key from jsonb_each_text(j.labels) l order by l.key) as label_names,
        array(select l.value from jsonb_each_text(j.labels) l order by l.key) as label_values,
        coalesce(r.has_ended, false) as has_ended,
        j.run_at <= clock_timestamp() as is_due
      from ebb.job j
      left join ebb.test_run r on r.job = j.id
      order by j.id
      """;
  private static final String BEGUN =
      """
      insert into ebb.test_run as r (job, attempt) values (?, 1)
      on conflict (job) do update set attempt = r.attempt + 1
      returning attempt
      """;
  private static final String TAKEN_BACK =
      """
      update ebb.test_run set attempt = attempt - 1 where job = ?
      """;
  private static final String PUT_OFF =
      """
      update ebb.job set run_at = clock_timestamp() + ? * interval '1 ms' where id = ?
      """;

  /** The row of a job that has ended would be gone, and its unique key free. */
  private static final String ENDED =
      """
      with kept as (
        update ebb.test_run r
        set has_ended = true, unique_key = coalesce(j.unique_key, r.unique_key)
        from ebb.job j
        where r.job = j.id and j.id = ?
        returning r.job
      )
      update ebb.job set unique_key = null where id in (select job from kept)
      """;

  private static final String CLEARED =
      """
      with runs as (delete from ebb.test_run) delete from ebb.job
      """;

  /**
   * A job, and how it stands.
   *
   * @param isDue by the clock of the database
   */
  record Standing(SubmittedJob job, boolean hasEnded, boolean isDue) {}

  private final DataSource source;
  private final JdbcTemplate database;

  StoredJobs(DataSource source) {
    this.source = source;
    this.database = new JdbcTemplate(source);
  }

  /** All, in the order of their submits. */
  List<Standing> all() {
    return database.query(
        SUBMITTED,
        (row, place) ->
            new Standing(job(row), row.getBoolean("has_ended"), row.getBoolean("is_due")));
  }

  private static SubmittedJob job(ResultSet row) throws SQLException {
    return new SubmittedJob(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getString("queue"),
        row.getString("payload"),
        row.getString("unique_key"),
        row.getString("ordering_key"),
        row.getObject("run_at", OffsetDateTime.class).toInstant(),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getInt("priority"),
        row.getInt("max_attempts"),
        millis(row.getObject("timeout_millis", Integer.class)),
        labels(row),
        row.getString("traceparent"));
  }

  private static @Nullable Duration millis(@Nullable Integer length) {
    return length == null ? null : Duration.ofMillis(length);
  }

  private static Map<String, String> labels(ResultSet row) throws SQLException {
    String[] names = (String[]) row.getArray("label_names").getArray();
    String[] values = (String[]) row.getArray("label_values").getArray();
    Map<String, String> labels = new TreeMap<>();
    for (int i = 0; i < names.length; i++) {
      labels.put(names[i], values[i]);
    }
    return labels;
  }

  /** The number of the attempt that begins. */
  int begin(UUID job) {
    return written(BEGUN, job);
  }

  /** The attempt does not count; the job waits so long. */
  void takeBack(UUID job, Duration delay) {
    written(TAKEN_BACK, job);
    if (!delay.isZero()) {
      written(PUT_OFF, delay.toMillis(), job);
    }
  }

  void end(UUID job) {
    written(ENDED, job);
  }

  void clear() {
    written(CLEARED);
  }

  /** The number that a statement answers, or of the rows that it wrote. */
  private int written(String sql, Object... values) {
    Integer number =
        database.execute(
            (ConnectionCallback<@Nullable Integer>) connection -> written(connection, sql, values));
    return number == null ? 0 : number;
  }

  private int written(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      int number = statement.execute() ? first(statement.getResultSet()) : 0;
      if (!connection.getAutoCommit() && !isInTransaction(connection)) {
        connection.commit();
      }
      return number;
    }
  }

  /** Spring knows the connection below what a template gives. */
  private boolean isInTransaction(Connection connection) {
    return DataSourceUtils.isConnectionTransactional(
        DataSourceUtils.getTargetConnection(connection), source);
  }

  private static int first(ResultSet row) throws SQLException {
    row.next();
    return row.getInt(1);
  }
}
