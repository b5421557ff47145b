package dev.ebb.db;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.errors.ErrorGroups;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Dead letters of one error as workers leave them: in no group yet. */
public final class DeadLetters {
  private static final String INSERT =
      """
      insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
        created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload, labels,
        destination)
      select uuidv7(- d.age), 'attempts_exhausted', 'http_500',
        replace(d.failure, '{i}', i::text), now(), 'n', now(), now() - d.age, now() - d.age, 1, 3, 3,
        5, d.queue, d.kind, '1',
        case when d.merchant is not null then jsonb_build_object('merchant', d.merchant) end,
        d.destination
      from (
        select ?::text as queue, ?::text as kind, ?::text as failure, ?::interval as age,
          ?::text as merchant, ?::text as destination
      ) d
      cross join generate_series(1, ?) i
      """;

  private final String queue;
  private String kind = "a";
  private String failure = "no";
  private String age = "0 s";
  private @Nullable String merchant;
  private @Nullable String destination;

  private DeadLetters(String queue) {
    this.queue = queue;
  }

  /** Dead letters of the queue, which died just now. */
  public static DeadLetters in(String queue) {
    return new DeadLetters(queue);
  }

  public DeadLetters kind(String kind) {
    this.kind = kind;
    return this;
  }

  /** What the receiver said, in which {@code {i}} is the number of the dead letter. */
  public DeadLetters failure(String failure) {
    this.failure = failure;
    return this;
  }

  /** How long ago they died, such as {@code 2 h}. */
  public DeadLetters age(String age) {
    this.age = age;
    return this;
  }

  /** The value of their label {@code merchant}. */
  public DeadLetters merchant(@Nullable String merchant) {
    this.merchant = merchant;
    return this;
  }

  public DeadLetters destination(@Nullable String destination) {
    this.destination = destination;
    return this;
  }

  /** Stores so many. */
  public void store(DatabaseConfig config, int many) {
    try (Connection connection = TestPostgres.connect(config)) {
      Statements.update(
          connection,
          INSERT,
          p -> {
            p.text(queue).text(kind).text(failure).text(age);
            p.text(merchant).text(destination).integer(many);
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Groups all that are stored, as workers do behind their settles. */
  public static ErrorGroups group(Database database) throws SQLException {
    ErrorGroups groups = new ErrorGroups(database);
    boolean more = true;
    while (more) {
      more = groups.groupNew();
    }
    return groups;
  }
}
