package dev.ebb.db.action;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where the jobs are that an action did not take. */
public final class JobPlaces {
  private static final String PLACES =
      """
      select
        t.id,
        case
          when d.id is not null and d.payload = '' then 'payload_erased'
          when d.unique_key is not null and exists (
            select from ebb.job o where o.kind = d.kind and o.unique_key = d.unique_key
          ) then 'unique_key_taken'
          when d.id is not null then 'dead_letter'
          when j.id is not null and (j.id, j.version) in (
            select l.id, l.version from ebb.leased l where l.queue = j.queue
          ) then 'running'
          when ebb.is_held(j.blocked_version, j.version, j.held_until) then 'blocked'
          when ebb.is_held(j.held_version, j.version, j.held_until) then 'held'
          when j.id is not null then 'available'
          when h.id is null then 'not_found'
          when h.cancelled then 'cancelled'
          else 'completed'
        end as place
      from unnest(?::uuid[]) t (id)
      left join lateral (select * from ebb.dead_letter d where d.id = t.id offset 0) d on true
      left join lateral (select * from ebb.job j where j.id = t.id offset 0) j on true
      left join lateral (
        select h.id, h.cancelled
        from ebb.every_history h
        where d.id is null and j.id is null and h.id = t.id
          and h.ended_at >= coalesce(?::timestamptz, '-infinity')
        limit 1
      ) h on true
      """;

  private static final String QUEUE_OF =
      """
      select queue from ebb.job where id = ?
      """;

  private static final String AWAIT_LIVE =
      """
      select from ebb.job where id = ? for update
      """;

  private static final String AWAIT_DEAD =
      """
      select from ebb.dead_letter where id = ? for update
      """;

  private JobPlaces() {}

  /**
   * By job.
   *
   * @param endedSince when those that have ended did so at the earliest, which spares a look at
   *     older days; {@code null} if nobody knows
   */
  public static Map<UUID, JobPlace> of(
      Connection connection, List<UUID> ids, @Nullable Instant endedSince) throws SQLException {
    Map<UUID, JobPlace> places = new TreeMap<>();
    Statements.list(
            connection,
            PLACES,
            p -> p.ids(ids).time(endedSince),
            row -> Map.entry(row.getObject("id", UUID.class), JobPlace.of(row.getString("place"))))
        .forEach(entry -> places.put(entry.getKey(), entry.getValue()));
    return places;
  }

  static JobPlace of(Connection connection, UUID id) throws SQLException {
    return of(connection, List.of(id), null).getOrDefault(id, JobPlace.NOT_FOUND);
  }

  /** Takes the lock of the job's queue, and answers its name; none if the job is not live. */
  static List<String> lockQueueOf(Connection connection, UUID id) throws SQLException {
    List<String> queue =
        Statements.list(connection, QUEUE_OF, p -> p.id(id), row -> row.getString(1));
    for (String name : queue) {
      QueueLock.take(connection, name);
    }
    return queue;
  }

  /** Waits until nobody else has the job's row locked, and locks it. */
  static void awaitRow(Connection connection, UUID id, JobAction action) throws SQLException {
    String sql = action.isOfLiveJobs() ? AWAIT_LIVE : AWAIT_DEAD;
    Statements.run(connection, sql, p -> p.id(id));
  }
}
