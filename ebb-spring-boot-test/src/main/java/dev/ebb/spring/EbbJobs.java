package dev.ebb.spring;

import dev.ebb.client.EbbJson;
import dev.ebb.client.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * The jobs in the database of a test, and their runs. They are read in the transaction of the
 * thread, if there is one, and run in the thread that asks, without a server: the database keeps
 * them as they were submitted, and this remembers what has run.
 */
public final class EbbJobs {
  private static final String SUBMITTED =
      """
      select
        j.id, j.kind, j.queue, j.payload::text, j.unique_key, j.run_at, j.created_at,
        j.max_attempts,
        array(select l.key from jsonb_each_text(j.labels) l order by l.key) as label_names,
        array(select l.value from jsonb_each_text(j.labels) l order by l.key) as label_values
      from ebb.job j
      order by j.id
      """;
  private static final String CLEAR =
      """
      delete from ebb.job
      where not exists (select from ebb.node)
      """;
  private static final String HAS_NODES =
      """
      select exists (select from ebb.node)
      """;

  /** After these a job has ended, and is not run again. */
  private static final Set<String> LAST = Set.of("completed", "fatal", "cancelled");

  private final DataSource source;
  private final HandlerMethods handlers;
  private final @Nullable EbbJson json;
  private final Map<UUID, Integer> attempts = new HashMap<>();
  private final Set<UUID> ended = new HashSet<>();

  EbbJobs(DataSource source, HandlerMethods handlers, @Nullable EbbJson json) {
    this.source = source;
    this.handlers = handlers;
    this.json = json;
  }

  /**
   * All jobs.
   *
   * @return them in the order of their submits
   */
  public List<SubmittedJob> submitted() {
    return new JdbcTemplate(source).query(SUBMITTED, (row, place) -> job(row));
  }

  /**
   * Those of a kind.
   *
   * @param kind as the job names it
   * @return them in the order of their submits
   */
  public List<SubmittedJob> submitted(String kind) {
    return submitted().stream().filter(job -> job.kind().equals(kind)).toList();
  }

  private SubmittedJob job(ResultSet row) throws SQLException {
    return new SubmittedJob(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getString("queue"),
        row.getString("payload"),
        row.getString("unique_key"),
        row.getObject("run_at", OffsetDateTime.class).toInstant(),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getInt("max_attempts"),
        labels(row));
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

  /**
   * The arguments of a job.
   *
   * @param <T> their type
   * @param job which
   * @param type what its handler takes
   * @return them, read from its payload
   */
  public <T> T args(SubmittedJob job, Class<T> type) {
    if (json == null) {
      throw new IllegalStateException(
          "nothing reads the arguments of a job: give the test Jackson's auto-configuration, or a"
              + " bean that is an EbbJson");
    }
    return json.decode(job.payload(), type);
  }

  /**
   * Runs a job by its handler, whether it is due or not.
   *
   * @param id of the job
   * @return what the handler says
   * @throws Exception that the handler throws
   */
  public Outcome performOne(UUID id) throws Exception {
    for (SubmittedJob job : submitted()) {
      if (job.id().equals(id)) {
        return perform(job);
      }
    }
    throw new IllegalArgumentException("no job " + id + " is stored");
  }

  /**
   * Runs the jobs of a queue that are due and have not ended, and those that they submit there,
   * each once, in the order of their submits.
   *
   * @param queue its name
   * @return what the handlers say, in the order of the runs
   * @throws Exception that a handler throws; the jobs behind it do not run
   */
  public List<Outcome> drain(String queue) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    Set<UUID> run = new HashSet<>(ended);
    for (List<SubmittedJob> due = due(queue, run); !due.isEmpty(); due = due(queue, run)) {
      for (SubmittedJob job : due) {
        run.add(job.id());
        outcomes.add(perform(job));
      }
    }
    return outcomes;
  }

  private List<SubmittedJob> due(String queue, Set<UUID> run) {
    Instant now = Instant.now();
    return submitted().stream()
        .filter(job -> job.queue().equals(queue) && !job.runAt().isAfter(now))
        .filter(job -> !run.contains(job.id()))
        .toList();
  }

  private Outcome perform(SubmittedJob job) throws Exception {
    HandlerMethod<?> handler = handlers.of(job.kind());
    if (handler == null) {
      throw new IllegalStateException(
          "no handler has the kind " + job.kind() + ", but [" + handlers.kinds() + "]");
    }
    Outcome outcome = perform(job, handler);
    if (LAST.contains(outcome.word())) {
      ended.add(job.id());
    }
    return outcome;
  }

  private <T> Outcome perform(SubmittedJob job, HandlerMethod<T> handler) throws Exception {
    int attempt = attempts.merge(job.id(), 1, Integer::sum);
    return handler.run(new Performance<>(args(job, handler.args()), job, attempt));
  }

  /**
   * Deletes all jobs, and forgets what has run.
   *
   * @throws IllegalStateException if nodes of Ebb use the database: it is none of tests
   */
  public void clear() {
    JdbcTemplate database = new JdbcTemplate(source);
    database.execute((ConnectionCallback<@Nullable Void>) this::clear);
    if (Boolean.TRUE.equals(database.queryForObject(HAS_NODES, Boolean.class))) {
      throw new IllegalStateException(
          "nodes of Ebb use the database of this test: its jobs were not deleted");
    }
    attempts.clear();
    ended.clear();
  }

  private @Nullable Void clear(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CLEAR);
    }
    if (!connection.getAutoCommit()
        && !DataSourceUtils.isConnectionTransactional(connection, source)) {
      connection.commit();
    }
    return null;
  }

  /** What {@link EbbTest} adds to an application. */
  @Configuration(proxyBeanMethods = false)
  static class Configured {
    @Bean
    EbbJobs ebbJobs(EbbTemplate ebb, HandlerMethods handlers, ObjectProvider<EbbJson> jsons) {
      EbbSchema.make(ebb.dataSource());
      return new EbbJobs(ebb.dataSource(), handlers, jsons.getIfUnique());
    }
  }
}
