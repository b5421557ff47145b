package dev.ebb.db.poll;

import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.schema.Migrations;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of the workers that poll, which the process writes that they ask. */
public final class Pollers {
  /** How long polls of a worker that has stopped are answered with that. */
  public static final Duration STOPPED_FOR = Duration.ofMinutes(1);

  /** A row that is younger says enough. */
  private static final Duration BEAT_EVERY = Duration.ofSeconds(5);

  /** The same of a worker whose poll waits. */
  private static final Duration BEAT_WAITING_EVERY = BEAT_EVERY.multipliedBy(2);

  private static final String IN_FLIGHT =
      """
      (
        select count(*)
        from ebb.lease l
        cross join unnest(l.job_ids, l.versions) as named (id, version)
        join ebb.job j on j.id = named.id and j.version = named.version
        where l.node = node.name
          and l.holder is not null)\
      """;

  private static final String IS_STOPPED =
      "n.stopped_at >= now() - interval '%s seconds'".formatted(STOPPED_FOR.toSeconds());

  /** Of up to one poll for each name. */
  private static final String SEEN =
      """
      with told as (
        select
          t.name, t.version, string_to_array(t.queues, ',') as queues,
          string_to_array(t.kinds, ',') as kinds, t.slots, t.holder, t.request_id
        from unnest(
            ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::text[], ?::text[])
          as t (name, version, queues, kinds, slots, holder, request_id)
      ), before as (
        select
          n.*, %1$s is true as has_stopped,
          n.holder is null
            or (n.holder <> t.holder
              and n.stopped_at is null
              and n.heartbeat_at > now() - interval '%4$s seconds') as is_taken
        from told t
        join ebb.node n on n.name = t.name
      ), written as (
        insert into ebb.node (
          name, version, settings_hash, queues, kinds, concurrency, needs_schema, holder)
        select t.name, t.version, '', t.queues, t.kinds, t.slots, ?, t.holder
        from told t
        left join before b on b.name = t.name
        where b.name is null
          or (not b.is_taken
            and not b.has_stopped
            and (b.stopped_at is not null
              or b.heartbeat_at < now() - interval '%2$s seconds'
              or (b.version, b.queues, b.kinds, b.concurrency, b.holder)
                is distinct from (t.version, t.queues, t.kinds, t.slots, t.holder)))
        -- Of two processes none waits for the other in a circle.
        order by t.name
        on conflict (name) do update
        set version = excluded.version, queues = excluded.queues, kinds = excluded.kinds,
          concurrency = excluded.concurrency, needs_schema = excluded.needs_schema,
          holder = excluded.holder,
          heartbeat_at = default, in_flight = %3$s, stopped_at = default,
          started_at = case when node.stopped_at is null then node.started_at else now() end,
          draining = node.draining and node.stopped_at is null
        where node.holder is not null
          -- It may have stopped since this statement began.
          and (node.stopped_at is null or node.stopped_at < now() - interval '%5$s seconds')
        returning name
      )
      select
        t.name, b.is_taken is true as taken, b.has_stopped is true as stopped,
        (b.draining and b.stopped_at is null) is true as draining,
        (
          select l.id
          from ebb.lease l
          where l.node = t.name
            and l.request_id = t.request_id
            and l.holder = t.holder
        ) as lease
      from told t
      left join before b on b.name = t.name
      """
          .formatted(
              IS_STOPPED,
              BEAT_EVERY.toSeconds(),
              IN_FLIGHT,
              Nodes.LOST_AFTER.toSeconds(),
              STOPPED_FOR.toSeconds());

  static final String BEAT =
      """
      with mine as materialized (
        select n.name
        from ebb.node n
        where n.name = ?
          and n.holder = ?
          and n.stopped_at is null
          and n.heartbeat_at < now() - interval '%2$s seconds'
        for update skip locked
      ), beaten as (
        update ebb.node
        set heartbeat_at = default, in_flight = %1$s
        from mine
        where node.name = mine.name
      )
      select n.draining
      from ebb.node n
      where n.name = ?
        and n.holder = ?
      """
          .formatted(IN_FLIGHT, BEAT_EVERY.toSeconds());

  private static final String STANDINGS =
      """
      with waiting as materialized (
        select n.name
        from unnest(?::text[], ?::text[]) w (name, holder)
        join ebb.node n on n.name = w.name and n.holder = w.holder
        where n.stopped_at is null
          and n.heartbeat_at < now() - interval '%2$s seconds'
        order by n.name
        for update of n skip locked
      ), beaten as (
        update ebb.node
        set heartbeat_at = default, in_flight = %3$s
        from waiting w
        where node.name = w.name
      )
      select n.name, %1$s is true as stopped, n.draining
      from ebb.node n
      where n.name = any (?)
      """
          .formatted(IS_STOPPED, BEAT_WAITING_EVERY.toSeconds(), IN_FLIGHT);

  private static final String STOP =
      """
      update ebb.node
      set heartbeat_at = now(), stopped_at = now(), in_flight = 0
      where name = ?
        and holder = ?
        and stopped_at is null
      """;

  private final Database database;

  public Pollers(Database database) {
    this.database = database;
  }

  /**
   * How a worker stands.
   *
   * @param stopped whether it said that it stopped, less than {@link #STOPPED_FOR} ago
   * @param draining whether somebody asked it to poll no more
   */
  public record Standing(boolean stopped, boolean draining) {
    private static Standing read(ResultSet row) throws SQLException {
      return new Standing(row.getBoolean("stopped"), row.getBoolean("draining"));
    }
  }

  /** A worker, and by whose token it polls. */
  public record Named(String name, String holder) {}

  /**
   * How a poll finds its worker.
   *
   * @param taken whether its name is that of a node, or of another holder's live worker
   * @param lease what a poll with its request's id was given; {@code null} for nothing
   */
  public record Seen(boolean taken, Standing standing, @Nullable Long lease) {
    private static Seen read(ResultSet row) throws SQLException {
      return new Seen(
          row.getBoolean("taken"), Standing.read(row), row.getObject("lease", Long.class));
    }
  }

  /**
   * Who polls.
   *
   * @param worker its name, what it polls with, and what it polls for
   * @param from by whose token, and in which request
   */
  public record Poller(NodeFacts worker, ClaimRequest.Poll from) {}

  /**
   * Writes that the workers live, but for those whose name is taken and those that have stopped.
   *
   * @param pollers with a name of its own each
   * @return how each poll finds its worker, by the worker's name
   */
  public Map<String, Seen> seen(List<Poller> pollers) throws SQLException {
    Map<String, Seen> seen = new HashMap<>();
    database
        .inAutocommit(connection ->
            Statements.list(
                connection,
                SEEN,
                p -> bind(p, pollers),
                row -> Map.entry(row.getString("name"), Seen.read(row))))
        .forEach(entry -> seen.put(entry.getKey(), entry.getValue()));
    return seen;
  }

  private static void bind(Parameters parameters, List<Poller> pollers) throws SQLException {
    // Neither the name of a queue nor that of a kind has a comma.
    parameters
        .columns(pollers)
        .text(poller -> poller.worker.name())
        .text(poller -> poller.worker.version())
        .text(poller -> String.join(",", poller.worker.queues()))
        .text(poller -> String.join(",", poller.worker.kinds()))
        .integer(poller -> poller.worker.concurrency())
        .text(poller -> poller.from.holder())
        .text(poller -> poller.from.requestId());
    parameters.integer(Migrations.NEEDED);
  }

  /** Writes that these workers, whose polls wait, live; how those stand that there are, by name. */
  public Map<String, Standing> standings(Collection<Named> workers) throws SQLException {
    Map<String, Standing> standings = new HashMap<>();
    List<String> names = workers.stream().map(Named::name).toList();
    database
        .inAutocommit(connection ->
            Statements.list(
                connection,
                STANDINGS,
                p ->
                    p.texts(names).texts(workers.stream().map(Named::holder).toList()).texts(names),
                row -> Map.entry(row.getString("name"), Standing.read(row))))
        .forEach(entry -> standings.put(entry.getKey(), entry.getValue()));
    return standings;
  }

  /** Writes that the holder's worker has stopped; false if there is none that had not. */
  public boolean stop(String name, String holder) throws SQLException {
    return database.inAutocommit(
            connection -> Statements.update(connection, STOP, p -> p.text(name).text(holder)))
        == 1;
  }
}
