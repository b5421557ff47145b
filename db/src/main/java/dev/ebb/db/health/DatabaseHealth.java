package dev.ebb.db.health;

import dev.ebb.core.Durations;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figure.Writes;
import dev.ebb.core.health.Figures;
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
 * Reads the figures of the database's health one by one: what one waits for, or may not see, keeps
 * no other from being read.
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
  public Figures server() throws SQLException {
    return database.inAutocommit(connection -> {
      Parts parts = new Parts(connection);
      parts.read(Figure.NOW, ServerReads::now);
      parts.read(Figure.SERVER, ServerReads::server);
      parts.read(Figure.TRANSACTIONS, ServerReads::transactions);
      parts.read(Figure.SLOTS, ServerReads::slots);
      parts.read(Figure.STANDBYS, ServerReads::standbys);
      primary(parts);
      return parts.figures;
    });
  }

  private void primary(Parts parts) throws SQLException {
    Identity known = database.identity();
    if (known == null) {
      parts.figures =
          parts.figures.without(Figure.PRIMARY, "the server does not tell its identity");
    } else if (known.origin() == null) {
      parts.figures =
          parts.figures.with(
              Figure.PRIMARY, new Figure.Primary(known.timeline(), null, 0, null, null));
    } else {
      parts.read(Figure.PRIMARY, ServerReads::primary);
    }
    Map<String, String> strangers = new TreeMap<>();
    database.strangers().forEach(one -> strangers.put(one.address(), one.why()));
    parts.figures = parts.figures.with(Figure.STRANGERS, strangers);
  }

  /** Of the schema, which must be there. */
  public Figures schema() throws SQLException {
    return database.inAutocommit(connection -> {
      Parts parts = new Parts(connection);
      parts.read(Figure.NOW, ServerReads::now);
      parts.read(Figure.TABLES, SchemaReads::tables);
      parts.read(Figure.PARTITIONS, SchemaReads::partitions);
      parts.read(Figure.DUE, SchemaReads::due);
      parts.read(Figure.CLOCKS, SchemaReads::clocks);
      parts.read(Figure.SCHEDULES, SchemaReads::schedules);
      parts.read(Figure.CHECK_INS, SchemaReads::checkIns);
      parts.read(Figure.START, SchemaReads::start);
      return parts.figures;
    });
  }

  /** Of the writes of this process; reads nothing. */
  public Figures writes() {
    Storing storing = database.storing();
    Storing.Trouble trouble = storing.trouble();
    if (trouble != null) {
      return Figures.NONE.with(
          Figure.WRITES, new Writes(trouble.since(), trouble.why(), trouble.state()));
    }
    return storing.isKnown()
        ? Figures.NONE.with(Figure.WRITES, Writes.STORED)
        : Figures.NONE.without(Figure.WRITES, "this process has written nothing yet");
  }

  /** Reads one figure after another, each in a transaction of its own and within limits. */
  private static final class Parts {
    private final Connection connection;
    private final long since = System.nanoTime();
    private Figures figures = Figures.NONE;

    Parts(Connection connection) {
      this.connection = connection;
    }

    <T> void read(Figure<T> figure, Database.Work<T> work) throws SQLException {
      connection.setAutoCommit(false);
      try {
        limit();
        T value = work.on(connection);
        connection.commit();
        figures = figures.with(figure, value);
      } catch (SQLException failure) {
        if (SqlStates.isOfTheServer(failure)) {
          throw failure;
        }
        connection.rollback();
        figures = figures.without(figure, SqlStates.words(failure));
      } finally {
        connection.setAutoCommit(true);
      }
    }

    private void limit() throws SQLException {
      Duration left = PATIENCE.statement().minusNanos(System.nanoTime() - since);
      Statements.run(
          connection,
          LIMITS,
          p ->
              p.text(Patience.setting(Durations.max(left, LEAST)))
                  .text(Patience.setting(PATIENCE.lock())));
    }
  }
}
