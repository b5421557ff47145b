package dev.ebb.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Submits jobs to Ebb's schema in the application's database: in the caller's transaction, so that
 * the job commits or rolls back with the caller's rows, or in one of its own. It has no pool, no
 * thread and nothing to close, and any number of threads may use it.
 *
 * <p>Every rule that can be checked without the database is checked before a statement is sent.
 * What the database alone knows, such as the name of a policy, ends the transaction.
 */
public final class EbbJdbc {
  private static final String[] OPTIONS = {
    "labels", "maxAttempts", "orderingKey", "policy", "priority", "timeout", Job.TRACEPARENT
  };
  private static final String SUBMIT =
      """
      select s.id, s.duplicate
      from ebb.submit(?, ?, ?, ?, ?::timestamptz, ?::interval, ?::jsonb) s
      """;
  private static final String SUBMIT_MANY =
      """
      select s.id, s.duplicate
      from ebb.submit_many(?::json) s
      """;

  private final EbbJson json;

  private EbbJdbc(EbbJson json) {
    this.json = json;
  }

  /**
   * With the Jackson of the class path, if there is one.
   *
   * @return what submits
   */
  public static EbbJdbc create() {
    return new EbbJdbc(EbbJsons.ofClassPath());
  }

  /**
   * With JSON of your own.
   *
   * @param json how arguments become JSON
   * @return what submits
   */
  public static EbbJdbc create(EbbJson json) {
    return new EbbJdbc(Objects.requireNonNull(json));
  }

  /**
   * Submits a job in the transaction of the connection, which it neither ends nor closes.
   *
   * @param connection the caller's, to the database that has Ebb's schema
   * @param job the job
   * @return its id, and whether it was there already
   * @throws InvalidJob if a field breaks its rule; unless only the database could tell, the
   *     transaction goes on
   * @throws TryAgain if the transaction has to begin anew
   * @throws SQLException for any other error of the database
   */
  public Submitted submit(Connection connection, Job<?> job) throws SQLException {
    String payload = job.payload(json);
    try (PreparedStatement statement = connection.prepareStatement(SUBMIT)) {
      statement.setString(1, job.kind());
      statement.setString(2, payload);
      statement.setString(3, Objects.requireNonNullElse(job.text("queue"), "default"));
      statement.setString(4, job.text("uniqueKey"));
      statement.setString(5, job.text("runAt"));
      statement.setString(6, job.text("delay"));
      statement.setString(7, job.options(OPTIONS));
      return ask(statement).get(0);
    }
  }

  /**
   * Submits up to 1,000 jobs in the transaction of the connection, in one round trip: all of them,
   * or none.
   *
   * @param connection the caller's, as for one job
   * @param jobs up to 1,000
   * @return an answer for each, in their order
   * @throws InvalidJob as for one job; it tells the place of the job
   * @throws TryAgain if the transaction has to begin anew
   * @throws SQLException for any other error of the database
   */
  public List<Submitted> submit(Connection connection, List<? extends Job<?>> jobs)
      throws SQLException {
    if (jobs.isEmpty()) {
      return List.of();
    }
    String array = Batch.array(jobs, this::element);
    try (PreparedStatement statement = connection.prepareStatement(SUBMIT_MANY)) {
      statement.setString(1, array);
      return ask(statement);
    }
  }

  /** PostgreSQL takes the payload out of the array, which it can do with text alone. */
  private String element(Job<?> job) {
    String payload = job.payload(json);
    InvalidJob.require(
        JsonReader.isReadable(payload),
        "payload",
        "must not have the escape \\u0000 or half a surrogate pair beside other jobs: submit it"
            + " alone");
    return job.withPayload(payload);
  }

  /**
   * Submits a job in a transaction of its own.
   *
   * @param dataSource gives the connection
   * @param job the job
   * @return its id, and whether it was there already
   * @throws InvalidJob if a field breaks its rule
   * @throws TryAgain if another transaction has held the unique key for two seconds
   * @throws SQLException for any other error of the database
   */
  public Submitted submit(DataSource dataSource, Job<?> job) throws SQLException {
    return inTransaction(dataSource, connection -> submit(connection, job));
  }

  /**
   * Submits up to 1,000 jobs in a transaction of their own: all of them, or none.
   *
   * @param dataSource gives the connection
   * @param jobs up to 1,000
   * @return an answer for each, in their order
   * @throws InvalidJob if a field breaks its rule
   * @throws TryAgain if another transaction has held the unique key for two seconds
   * @throws SQLException for any other error of the database
   */
  public List<Submitted> submit(DataSource dataSource, List<? extends Job<?>> jobs)
      throws SQLException {
    return inTransaction(dataSource, connection -> submit(connection, jobs));
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** A connection that commits by itself is left so: the submit is one statement. */
  private static <T> T inTransaction(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean commits = connection.getAutoCommit();
      try {
        T done = work.on(connection);
        if (!commits) {
          connection.commit();
        }
        return done;
      } catch (SQLException | RuntimeException e) {
        if (!commits) {
          rollBack(connection, e);
        }
        throw e;
      }
    }
  }

  private static void rollBack(Connection connection, Exception why) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  private static List<Submitted> ask(PreparedStatement statement) throws SQLException {
    List<Submitted> answers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        answers.add(new Submitted(rows.getObject(1, UUID.class), rows.getBoolean(2)));
      }
      return answers;
    } catch (SQLException e) {
      throw SqlRefusal.of(e);
    }
  }
}
