package dev.ebb.db.health;

import dev.ebb.core.health.Part;
import dev.ebb.core.health.SchemaHealth;
import dev.ebb.core.health.ServerHealth;
import dev.ebb.core.health.ServerHealth.Primaries;
import dev.ebb.core.health.StoreHealth;
import dev.ebb.core.health.StoreHealth.Refused;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Identity;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.connection.Storing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the health of the database part by part: what one part waits for, or may not see, takes no
 * other part along.
 */
public final class DatabaseHealth {
  private static final Patience PATIENCE =
      new Patience(Duration.ofMillis(200), Duration.ofSeconds(2));

  /** Left to each part when others have used up the time. */
  private static final Duration LEAST = Duration.ofMillis(100);

  private static final String LIMITS =
      """
      select set_config('statement_timeout', ?, true), set_config('lock_timeout', ?, true)
      """;

  private final Database database;

  public DatabaseHealth(Database database) {
    this.database = database;
  }

  /** Of the server, whatever is stored in it; throws if it cannot be reached. */
  public ServerHealth server() throws SQLException {
    return database.inAutocommit(connection -> {
      long since = System.nanoTime();
      return new ServerHealth(
          part(connection, since, ServerReads::server),
          part(connection, since, ServerReads::sessions),
          part(connection, since, ServerReads::slots),
          part(connection, since, ServerReads::standbys),
          primaries(connection, since));
    });
  }

  private Part<Primaries> primaries(Connection connection, long since) throws SQLException {
    Identity known = database.identity();
    if (known == null) {
      return Part.unread("the server does not tell its identity");
    }
    Map<String, String> others = new TreeMap<>();
    database.strangers().forEach(one -> others.put(one.address(), one.why()));
    return known.origin() == null
        ? Part.of(new Primaries(known.timeline(), null, null, others))
        : part(connection, since, there -> ServerReads.primaries(there, others));
  }

  /** Of the schema, which must be there. */
  public SchemaHealth schema() throws SQLException {
    return database.inAutocommit(connection -> {
      long since = System.nanoTime();
      return new SchemaHealth(
          part(connection, since, SchemaReads::tables),
          part(connection, since, SchemaReads::partitions),
          part(connection, since, SchemaReads::due),
          part(connection, since, SchemaReads::clocks),
          part(connection, since, ScheduleHealthReads::schedules),
          part(connection, since, SchemaReads::start));
    });
  }

  /** Of the writes of this process; reads nothing. */
  public Part<StoreHealth> storing() {
    Storing storing = database.storing();
    Storing.Trouble trouble = storing.trouble();
    if (trouble != null) {
      return Part.of(new StoreHealth(new Refused(trouble.since(), trouble.why(), trouble.state())));
    }
    return storing.isKnown()
        ? Part.of(new StoreHealth(null))
        : Part.unread("this process has written nothing yet");
  }

  private static <T> Part<T> part(Connection connection, long sinceNanos, Database.Work<T> work)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      Duration left = PATIENCE.statement().minusNanos(System.nanoTime() - sinceNanos);
      Statements.run(
          connection,
          LIMITS,
          p ->
              p.text(Patience.setting(left.compareTo(LEAST) < 0 ? LEAST : left))
                  .text(Patience.setting(PATIENCE.lock())));
      T value = work.on(connection);
      connection.commit();
      return Part.of(value);
    } catch (SQLException failure) {
      if (SqlStates.isOfTheServer(failure)) {
        throw failure;
      }
      connection.rollback();
      return Part.unread(SqlStates.words(failure));
    } finally {
      connection.setAutoCommit(true);
    }
  }
}
