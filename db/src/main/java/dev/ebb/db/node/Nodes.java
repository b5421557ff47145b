package dev.ebb.db.node;

import static java.util.Objects.requireNonNullElse;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.connection.Storing;
import dev.ebb.db.schema.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes and reads the rows of the nodes. */
public final class Nodes {
  /** How often a node writes its heartbeat. */
  public static final Duration BEAT_EVERY = Duration.ofSeconds(10);

  /** A node that has said nothing for so long counts as lost. */
  public static final Duration LOST_AFTER = BEAT_EVERY.multipliedBy(3);

  // At least this one, whose row may be written by the same statement. A heartbeat that lies ahead
  // is from before the clock was set back.
  private static final String WORKERS =
      """
      greatest(1, (
        select count(*)
        from ebb.node n
        where n.kinds = node.kinds
          and n.queues = node.queues
          and n.stopped_at is null
          and not n.draining
          and not n.closing
          and n.heartbeat_at between now() - interval '%1$s seconds'
            and now() + interval '%1$s seconds'))\
      """
          .formatted(LOST_AFTER.toSeconds());

  private static final String MISSING_KEYS =
      """
      (select case when k.own is not null then
        array(select unnest(ebb.sealing_keys()) except select unnest(k.own))
      end
      from (select ?::text[] as own) k)\
      """;

  // Where nobody has the keys, people have to reach a node that gives its queues new secrets.
  private static final String ANSWER =
      """
      returning draining, clock_timestamp() as now, %1$s as workers, missing_keys,
        missing_keys <> '{}'
          and cardinality(missing_keys) = cardinality(ebb.sealing_keys())
          and exists (
            select
            from ebb.node n
            where n.name <> node.name
              and n.missing_keys = '{}'
              and n.stopped_at is null
              and n.heartbeat_at > now() - interval '%2$s seconds') as opens_none
      """
          .formatted(WORKERS, LOST_AFTER.toSeconds());

  // A name that comes again is that of another process.
  private static final String START =
      """
      insert into ebb.node (
        name, version, settings_hash, queues, kinds, concurrency, needs_schema, draining,
        missing_keys)
      values (?, ?, ?, ?, ?, ?, ?, ?, %1$s)
      on conflict (name) do update
      set version = excluded.version, settings_hash = excluded.settings_hash,
        queues = excluded.queues, kinds = excluded.kinds, concurrency = excluded.concurrency,
        needs_schema = excluded.needs_schema,
        started_at = default, heartbeat_at = default, stopped_at = default, in_flight = default,
        skew_micros = default, closing = default, network_suspected = default,
        draining = excluded.draining, missing_keys = excluded.missing_keys, holder = default
      %2$s\
      """
          .formatted(MISSING_KEYS, ANSWER);

  private static final String BEAT =
      """
      update ebb.node
      set heartbeat_at = now(), in_flight = ?, skew_micros = ?, closing = ?, network_suspected = ?,
        missing_keys = %1$s
      where name = ?
      %2$s\
      """
          .formatted(MISSING_KEYS, ANSWER);

  // A heartbeat is a row of an unlogged table: its commit waits for neither a disk nor a standby.
  private static final String PROVE_COMMIT =
      """
      select pg_logical_emit_message(true, 'ebb', '')
      """;

  private static final String STOP =
      """
      update ebb.node
      set heartbeat_at = now(), stopped_at = now(), in_flight = 0
      where name = ?
      """;

  private static final String FORGET =
      """
      delete from ebb.node
      where heartbeat_at < now() - interval '1 day'
      """;

  private static final String SET_DRAINING =
      """
      update ebb.node
      set draining = ?
      where name = ? and stopped_at is null and kinds <> '{}'
      """;

  private static final String FIND =
      """
      select n.*, now() as now
      from ebb.node n
      where name = ?
      """;

  private static final String PAGE =
      """
      select n.*, now() as now
      from ebb.node n
      where name > ?
      order by name
      limit ?
      """;

  private static final String COVERAGE =
      """
      select
        count(*) as workers,
        count(*) filter (where knows) as knowing,
        count(*) filter (where knows and serves) as serving,
        count(*) filter (where knows and serves and claims) as claiming,
        count(*) filter (where knows and serves and claims and free) as free
      from (
        select
          ? = any (n.kinds) as knows,
          n.queues = '{}' or ? = any (n.queues) as serves,
          not n.draining and not n.closing as claims,
          n.in_flight < n.concurrency as free
        from ebb.node n
        where n.kinds <> '{}'
          and n.stopped_at is null
          and n.heartbeat_at >= now() - ? * interval '1 microsecond'
      ) live
      """;

  private final Database database;

  public Nodes(Database database) {
    this.database = database;
  }

  /**
   * Writes the row of a node that begins, or whose row is gone.
   *
   * @param draining whether it was asked to claim no more before
   */
  public Heartbeat.Answer start(NodeFacts facts, boolean draining) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection,
            START,
            p -> bind(p, facts).flag(draining).texts(facts.secretsKeys()),
            Nodes::answer));
  }

  private static Parameters bind(Parameters parameters, NodeFacts facts) throws SQLException {
    return parameters
        .text(facts.name())
        .text(facts.version())
        .text(facts.settingsHash())
        .texts(facts.queues())
        .texts(facts.kinds())
        .integer(facts.concurrency())
        .integer(Migrations.NEEDED);
  }

  /** Writes that the node lives; empty if its row is gone. */
  public Optional<Heartbeat.Answer> beat(NodeFacts facts, Heartbeat beat) throws SQLException {
    return database.inAutocommit(connection ->
        Optional.ofNullable(
            Statements.first(
                connection,
                BEAT,
                p ->
                    p.integer(beat.inFlight())
                        .micros(beat.skew())
                        .flag(beat.closing())
                        .flag(beat.networkSuspected())
                        .texts(facts.secretsKeys())
                        .text(facts.name()),
                Nodes::answer)));
  }

  private static Heartbeat.Answer answer(ResultSet row) throws SQLException {
    return new Heartbeat.Answer(
        row.getBoolean("draining"),
        Rows.instant(row, "now"),
        row.getInt("workers"),
        requireNonNullElse(Rows.textsOrNull(row, "missing_keys"), List.of()),
        row.getBoolean("opens_none"));
  }

  /** Writes that the node has stopped. */
  public void stop(String name) throws SQLException {
    database.inAutocommit(connection -> Statements.update(connection, STOP, p -> p.text(name)));
  }

  /** Commits what writes some bytes of the log and no row: it waits for whatever a submit does. */
  public void proveCommit() throws SQLException {
    database
        .storing()
        .commit(() ->
            database.inAutocommit(connection -> {
              Statements.run(connection, PROVE_COMMIT, _ -> {});
              return connection;
            }));
  }

  /** What became of the writes of this process. */
  public Storing storing() {
    return database.storing();
  }

  /** Deletes the nodes of which nothing was heard for a day. */
  public void forget() throws SQLException {
    database.inAutocommit(connection -> Statements.update(connection, FORGET, _ -> {}));
  }

  /** The node of that name. */
  public Optional<NodeView> find(String name) throws SQLException {
    return database.inAutocommit(connection -> find(connection, name));
  }

  private static Optional<NodeView> find(Connection connection, String name) throws SQLException {
    return Optional.ofNullable(Statements.first(connection, FIND, p -> p.text(name), Nodes::view));
  }

  /**
   * A page of the nodes by name, those too that stopped or were lost within a day.
   *
   * @param after the name before the first one on the page; empty for the first page
   */
  public List<NodeView> page(String after, int limit) throws SQLException {
    return database.inAutocommit(connection -> page(connection, after, limit));
  }

  /** The same on a connection. */
  public static List<NodeView> page(Connection connection, String after, int limit)
      throws SQLException {
    return Statements.list(connection, PAGE, p -> p.text(after).integer(limit), Nodes::view);
  }

  /**
   * Asks a node to claim no more, or to claim again, and answers how it is then; a node that has
   * stopped, or runs no worker, stays as it is. Empty if there is no such node.
   */
  public Optional<NodeView> setDraining(String name, boolean draining, Act act)
      throws SQLException {
    return database.inTransaction(connection -> {
      if (Statements.update(connection, SET_DRAINING, p -> p.flag(draining).text(name)) == 1) {
        Audit.write(connection, act, draining ? "node.drain" : "node.undrain", name, 1);
      }
      return find(connection, name);
    });
  }

  /** How many live nodes could run jobs of the kind in the queue. */
  public Coverage coverage(String kind, String queue) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection,
            COVERAGE,
            p -> p.text(kind).text(queue).micros(LOST_AFTER),
            row ->
                new Coverage(
                    row.getInt("workers"),
                    row.getInt("knowing"),
                    row.getInt("serving"),
                    row.getInt("claiming"),
                    row.getInt("free"))));
  }

  private static NodeView view(ResultSet row) throws SQLException {
    NodeFacts facts =
        new NodeFacts(
            row.getString("name"),
            row.getString("version"),
            row.getString("settings_hash"),
            Rows.texts(row, "queues"),
            Rows.texts(row, "kinds"),
            row.getInt("concurrency"));
    return new NodeView(
        facts,
        state(row),
        Rows.instant(row, "started_at"),
        Rows.instant(row, "heartbeat_at"),
        Rows.instantOrNull(row, "stopped_at"),
        row.getInt("in_flight"),
        skew(row),
        row.getBoolean("network_suspected"),
        row.getString("holder") != null,
        Rows.textsOrNull(row, "missing_keys"));
  }

  private static NodeView.State state(ResultSet row) throws SQLException {
    Instant lastSign = Rows.instant(row, "heartbeat_at");
    if (Rows.instantOrNull(row, "stopped_at") != null) {
      return NodeView.State.STOPPED;
    }
    if (lastSign.plus(LOST_AFTER).isBefore(Rows.instant(row, "now"))) {
      return NodeView.State.LOST;
    }
    boolean drains = row.getBoolean("draining") || row.getBoolean("closing");
    return drains ? NodeView.State.DRAINING : NodeView.State.RUNNING;
  }

  private static @Nullable Duration skew(ResultSet row) throws SQLException {
    long micros = row.getLong("skew_micros");
    return row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
  }
}
