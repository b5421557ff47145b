package dev.ebb.db.queue;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.access.Act;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.Circuit.Phase;
import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.http.Destination;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.CircuitJson;
import dev.ebb.db.json.DestinationJson;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuits of destinations, by the database's clock. A claim reads them under the queue's lock,
 * under which they are written: so there is one probe at a time in the whole cluster.
 */
public final class Circuits {
  private static final Logger LOG = LoggerFactory.getLogger(Circuits.class);

  private static final String FIND =
      """
      select q.name, q.destination::text, c.state::text as circuit, statement_timestamp() as now
      from ebb.queue q
      left join ebb.circuit c on c.queue = q.name
      where q.name = ?
        and q.destination is not null
      """;

  private static final String TROUBLED =
      """
      select q.name, q.destination::text, c.state::text as circuit, statement_timestamp() as now
      from ebb.circuit c
      join ebb.queue q on q.name = c.queue
      where (c.held_until is not null or c.state ->> 'phase' <> 'CLOSED')
        and (c.state ->> 'phase' <> 'CLOSED' or (? and c.held_until > statement_timestamp()))
        and q.destination is not null
        and q.destination -> 'circuit' -> 'enabled' is distinct from 'false'
      order by c.queue
      limit ?
      """;

  private static final String OF =
      """
      select q.name, q.destination::text, c.state::text as circuit, statement_timestamp() as now
      from ebb.circuit c
      join ebb.queue q on q.name = c.queue
      where c.queue = any (?)
        and (c.state ->> 'phase' <> 'CLOSED' or c.held_until > statement_timestamp())
        and q.destination is not null
      """;

  private static final String STORED =
      """
      select c.state::text as state
      from ebb.circuit c
      where c.queue = ?
      """;

  private static final String FORGET =
      """
      delete from ebb.circuit
      where queue = ?
      """;

  private static final Patience OF_PEOPLE =
      new Patience(Duration.ofSeconds(5), Duration.ofSeconds(5));
  private static final Patience OF_A_NODE =
      new Patience(Duration.ofMillis(250), Duration.ofSeconds(1));

  /** The actor of what circuits do by themselves. */
  private static final Act ITSELF = Act.onMachine("circuit");

  private final Database database;

  public Circuits(Database database) {
    this.database = database;
  }

  /** The circuit of a destination, closed if that wants none; empty if there is no such one. */
  public Optional<CircuitView> find(String queue) throws SQLException {
    return database.inAutocommit(connection ->
        Optional.ofNullable(
            Statements.first(connection, FIND, p -> p.text(queue), Circuits::view)));
  }

  /**
   * Circuits that are not closed, or hold their destination for it asked for that, by name.
   *
   * @param limit of circuits
   */
  public List<CircuitView> troubled(int limit) throws SQLException {
    return listed(true, limit);
  }

  /**
   * Circuits that are not closed, by name.
   *
   * @param limit of circuits
   */
  public List<CircuitView> open(int limit) throws SQLException {
    return listed(false, limit);
  }

  private List<CircuitView> listed(boolean alsoHeld, int limit) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(
            connection, TROUBLED, p -> p.flag(alsoHeld).integer(limit), Circuits::view));
  }

  /** Those of these destinations that are not closed, or hold it for it asked for that. */
  public List<CircuitView> troubled(Collection<String> destinations) throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, OF, p -> p.texts(destinations), Circuits::view));
  }

  private static CircuitView view(ResultSet row) throws SQLException {
    Instant now = Rows.instant(row, "now");
    Destination destination = DestinationJson.stored(row.getString("destination"));
    return new CircuitView(
        row.getString("name"),
        destination == null ? CircuitRule.DEFAULT : destination.circuit(),
        CircuitJson.read(row.getString("circuit"), now),
        now);
  }

  /**
   * Tells a circuit of votes, and of how long its destination asked to be left alone.
   *
   * @param hold zero if it did not ask
   * @param random 0 to 1: how much sooner it probes
   * @return queues of which jobs may start now that could not before
   * @throws SQLException with the state 55P03 if the queue's lock was not free within a quarter of
   *     a second
   */
  public List<String> tell(String queue, Ballot ballot, Duration hold, double random)
      throws SQLException {
    return database.inTransaction(connection -> {
      Limiters.LimiterView seen = Limiters.lock(connection, queue, OF_A_NODE, false);
      CircuitRule rule = seen == null ? null : seen.circuitRule();
      if (seen == null || rule == null) {
        return List.of();
      }
      Circuit before = requireNonNull(seen.circuit());
      Circuit told = before.told(rule, ballot, seen.now(), random);
      boolean isCurrent = ballot.epoch() == before.epoch();
      Circuit after = isCurrent ? told.held(rule, hold, seen.now()) : told;
      change(connection, queue, before, after);
      String notice = CircuitNotices.write(connection, queue, before, after, seen.now());
      boolean released = before.admits(seen.now()) < after.admits(seen.now());
      return Stream.of(released ? queue : null, notice).filter(Objects::nonNull).toList();
    });
  }

  /**
   * Has an open circuit probe now, and ends a hold that its destination asked for; false if there
   * is nothing that it keeps from starting, or a probe is under way.
   */
  public boolean probe(String queue, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      Limiters.LimiterView seen = Limiters.lock(connection, queue, OF_PEOPLE, false);
      Circuit before = seen == null ? null : seen.circuit();
      boolean isTried = before != null && before.phase() == Phase.HALF_OPEN;
      if (seen == null || before == null || isTried || before.admits(seen.now()) > 0) {
        return false;
      }
      write(connection, queue, before.released(seen.now()));
      Audit.write(connection, act, "destination.probe", queue, 1);
      return true;
    });
  }

  /**
   * Closes a circuit whatever it was, so that the jobs go on along the warm-up.
   *
   * @return queues of which jobs may start now that could not before; none if it was closed
   */
  public List<String> enable(String queue, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      Limiters.LimiterView seen = Limiters.lock(connection, queue, OF_PEOPLE, false);
      Circuit before = seen == null ? null : seen.circuit();
      if (seen == null || before == null || before.phase() == Phase.CLOSED) {
        return List.of();
      }
      Audit.write(connection, act, "destination.enable", queue, 1);
      Circuit after = before.closedAt(seen.now());
      write(connection, queue, after);
      Limiters.restartLocked(connection, queue);
      String notice = CircuitNotices.write(connection, queue, before, after, seen.now());
      return Stream.of(queue, notice).filter(Objects::nonNull).toList();
    });
  }

  private static void change(Connection connection, String queue, Circuit before, Circuit after)
      throws SQLException {
    if (after.equals(before)) {
      return;
    }
    write(connection, queue, after);
    boolean wasClosed = before.phase() == Phase.CLOSED;
    boolean isClosed = after.phase() == Phase.CLOSED;
    if (wasClosed && !isClosed) {
      LOG.warn(
          "destination {} fails with {}: its jobs wait until it answers", queue, after.reason());
      audit(connection, queue, "destination.circuit_opened", after.reason());
    } else if (!wasClosed && isClosed) {
      Limiters.restartLocked(connection, queue);
      LOG.info("destination {} answers again: its jobs go on", queue);
      audit(connection, queue, "destination.circuit_closed", null);
    }
    if (isDisabled(after) && !isDisabled(before)) {
      LOG.warn("destination {} is disabled, last with {}", queue, after.reason());
      audit(connection, queue, "destination.disabled", after.reason());
    }
  }

  private static boolean isDisabled(Circuit circuit) {
    return circuit.outage() != null && circuit.outage().disabledSince() != null;
  }

  private static void audit(
      Connection connection, String queue, String action, @Nullable String failure)
      throws SQLException {
    Audit.write(connection, ITSELF, action, queue, new Changes().add("failure", null, failure));
  }

  private static void write(Connection connection, String queue, Circuit circuit)
      throws SQLException {
    CircuitRow.Write write = new CircuitRow.Write(queue, circuit);
    Statements.update(connection, CircuitRow.WRITE, p -> CircuitRow.bind(p, List.of(write)));
  }

  /**
   * Follows a change of a queue's settings, in its transaction: one with another rule begins anew,
   * and one with another address is tried at once.
   */
  static void follow(
      Connection connection, String queue, @Nullable Destination before, QueueSettings after)
      throws SQLException {
    Destination now = after.destination();
    if (before == null) {
      return;
    }
    boolean goesOn = now != null && now.circuit().equals(before.circuit());
    if (now != null && goesOn && now.url().equals(before.url())) {
      return;
    }
    Limiters.LimiterView seen = requireNonNull(Limiters.lock(connection, queue, OF_PEOPLE, false));
    Circuit circuit =
        Statements.first(
            connection,
            STORED,
            p -> p.text(queue),
            row -> CircuitJson.read(row.getString("state"), seen.now()));
    if (circuit == null) {
      circuit = Circuit.closed(seen.now());
    }
    Circuit followed = goesOn ? circuit.moved(seen.now()) : circuit.closedAt(seen.now());
    change(connection, queue, circuit, followed);
    CircuitNotices.write(connection, queue, circuit, followed, seen.now());
  }

  static void forget(Connection connection, String queue) throws SQLException {
    Statements.run(connection, FORGET, p -> p.text(queue));
  }
}
